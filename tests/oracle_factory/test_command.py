"""What holds of every sub-command of `oracle-factory`: help, misuse, completion and version."""

import importlib
import json
import subprocess
import sys
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from harness.command_line.runnable_commands import runnable
from oracle_factory import __version__
from oracle_factory.command import COMMANDS, GROUPS, INTERRUPTED, CommandEntry, app, main

RUN = CliRunner()
TIMES_THE_LEAST = 6
"""What help may take, in the processor time in which an interpreter starts and imports typer and rich: no more than 0.4 s
where that takes 0.07 s, on any machine."""
HEAVY = frozenset(
    {"cvc5", "datasets", "hypothesis", "networkx", "numpy", "pytest", "scipy", "torch", "transformers", "z3"}
)
"""Packages that only the work of a command needs."""
MEASURED = r"""
import json, os, sys, time
import typer, rich.console
least = time.process_time()
from oracle_factory.command import main
main(["--help"])
sys.stdout.flush()
shared = time.process_time()
helps = {}
for words in json.loads(sys.argv[1]):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.dup2(writer, 1)
        os.close(reader)
        main([*words.split(), "--help"])
        sys.stdout.write(json.dumps([shared + time.process_time(), list(sys.modules)]))
        sys.stdout.flush()
        os._exit(0)
    os.close(writer)
    text, _, figures = os.fdopen(reader).read().rpartition("\n")
    os.wait()
    helps[words] = [text, *json.loads(figures)]
json.dump([least, helps], sys.stderr)
"""
everywhere = pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.words.replace(" ", "-"))


class Help(NamedTuple):
    """The help of a command: its text, its processor time in times of the least, and the modules it imported."""

    text: str
    times: float
    modules: frozenset[str]


@pytest.fixture(scope="module")
def helps() -> dict[str, Help]:
    """Return the help of each command by its words, each made in a child of one process, the quickest of three."""
    rounds = []
    for _ in range(3):
        command = [sys.executable, "-c", MEASURED, json.dumps([entry.words for entry in COMMANDS])]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        least, measured = json.loads(done.stderr)
        rounds.append(
            {words: Help(text, time / least, frozenset(names)) for words, (text, time, names) in measured.items()}
        )
        if all(shown.times < TIMES_THE_LEAST for shown in rounds[-1].values()):
            break
    return {words: min((shown[words] for shown in rounds), key=lambda shown: shown.times) for words in rounds[0]}


def example(entry: CommandEntry) -> str:
    """Return the example in the help of a command, from its docstring."""
    module, _, name = entry.target.partition(":")
    lines = (getattr(importlib.import_module(module), name).__doc__ or "").splitlines()
    (line,) = [line.strip() for line in lines if line.strip().startswith("Example: ")]
    return line.removeprefix("Example: ")


@everywhere
def test_help_is_quick_and_has_an_example(entry: CommandEntry, helps: dict[str, Help]) -> None:
    """`--help` of each command starts with its summary, shows one example of it, no type of a flag, and imports nothing heavy."""
    shown = " ".join(helps[entry.words].text.split())
    assert entry.summary in shown
    assert f"Example: oracle-factory {entry.words}" in shown
    assert "<bool>" not in shown
    assert not HEAVY & helps[entry.words].modules
    assert helps[entry.words].times < TIMES_THE_LEAST


@everywhere
def test_options_of_the_example_exist(entry: CommandEntry) -> None:
    """The example in the help of a command can be parsed."""
    words = example(entry).split()[entry.words.count(" ") + 2 :]
    assert entry.load().make_context(entry.name, words).params


@everywhere
def test_misuse_is_one_line(entry: CommandEntry) -> None:
    """An option that no command has gives status 2 and one line that names the command, the option and the help."""
    result = RUN.invoke(app, [*entry.words.split(), "--no-such-option"])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"oracle-factory {entry.words}: No such option: --no-such-option")
    assert result.stderr.endswith(f"see: {runnable('oracle-factory')} {entry.words} --help\n")


@pytest.mark.parametrize("number", ["0", "-1", "x", "9" * 5000])
def test_a_number_is_checked_before_a_file_is_read(number: str) -> None:
    """A number below the least gives status 2 and one line with the option, the expectation and the value."""
    result = RUN.invoke(app, ["recheck", "/nonexistent", "--jobs", number])
    assert result.exit_code == 2
    assert result.stderr.startswith("oracle-factory recheck: --jobs: expected a ")
    assert result.stderr.count("\n") == 1


def test_help_of_the_program_lists_all_commands_by_stage() -> None:
    """`oracle-factory --help` lists each command and group with its summary, without importing a room."""
    shown = RUN.invoke(app, ["--help"], env={"COLUMNS": "200"}).stdout
    for entry in COMMANDS:
        assert entry.panel in shown
        assert " " in entry.words or entry.summary in shown
    listed = {entry.words.partition(" ")[0] for entry in COMMANDS if " " in entry.words}
    assert listed == GROUPS.keys()


def test_version() -> None:
    """`--version` prints the version of the distribution."""
    assert RUN.invoke(app, ["--version"]).stdout == f"oracle-factory {__version__}\n"


def test_a_misspelt_command_is_corrected() -> None:
    """The message names the nearest command."""
    result = RUN.invoke(app, ["rechek"])
    assert result.exit_code == 2
    assert "Did you mean 'recheck'?" in result.stderr


def test_completion_knows_commands_and_options() -> None:
    """The shell is told the commands, and the options of a command."""
    asked = {"_ORACLE_FACTORY_COMPLETE": "complete_bash", "COMP_WORDS": "oracle-factory rec", "COMP_CWORD": "1"}
    assert RUN.invoke(app, [], env=asked).stdout.split() == ["recheck"]
    asked |= {"COMP_WORDS": "oracle-factory recheck --sol", "COMP_CWORD": "2"}
    assert RUN.invoke(app, [], env=asked).stdout.split() == ["--solver"]


@pytest.mark.parametrize(
    ("words", "place", "kept"),
    [
        ("judge mini annotation", "properties.factory.judged_problems.judge_command", True),
        ("sample flaws.jsonl", "generators.flaws.stratified_sample.read_flaws", False),
    ],
)
def test_an_interrupted_command_says_whether_it_goes_on(
    words: str, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, kept: bool
) -> None:
    """That it goes on is said where the same command does, and nowhere else."""

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)
    assert main(words.split()) == INTERRUPTED
    told = capsys.readouterr().err
    assert told.startswith(f"oracle-factory {words.partition(' ')[0]}: interrupted")
    assert ("the same command continues from there" in told) is kept
