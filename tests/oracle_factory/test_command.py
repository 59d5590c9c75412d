"""What holds of every sub-command of `oracle-factory`: help, misuse, completion and version."""

import importlib
import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from harness.command_line.runnable_commands import runnable
from oracle_factory import __version__
from oracle_factory.command import COMMANDS, GROUPS, INTERRUPTED, SPELLINGS, CommandEntry, app, main
from tests.cases import cases

RUN = CliRunner()
HEAVY = frozenset(
    {"cvc5", "datasets", "hypothesis", "networkx", "numpy", "pytest", "scipy", "torch", "transformers", "z3"}
)
"""Packages that only the work of a command needs."""
HELPS = """
import contextlib, io, json, sys
from oracle_factory.command import main
helps = {}
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        main([*words.split(), "--help"])
    helps[words] = shown.getvalue()
json.dump([helps, list(sys.modules)], sys.stdout)
"""
everywhere = cases("entry", [pytest.param(entry, id=entry.words) for entry in COMMANDS])


@pytest.fixture(scope="module")
def helps() -> dict[str, str]:
    """Return the help of each command by its words, made in one process, which imports nothing heavy for them all."""
    command = [sys.executable, "-c", HELPS, json.dumps([entry.words for entry in COMMANDS])]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "200"})
    shown: dict[str, str]
    shown, modules = json.loads(done.stdout)
    assert HEAVY & set(modules) == set()
    return shown


def example(entry: CommandEntry) -> str:
    """Return the example in the help of a command, from its docstring."""
    module, _, name = entry.target.partition(":")
    lines = (getattr(importlib.import_module(module), name).__doc__ or "").splitlines()
    (line,) = [line.strip() for line in lines if line.strip().startswith("Example: ")]
    return line.removeprefix("Example: ")


@everywhere
def test_help_has_an_example(entry: CommandEntry, helps: dict[str, str]) -> None:
    """`--help` of each command starts with its summary, has one example of it, which can be parsed, and no type of a flag."""
    shown = " ".join(helps[entry.words].split())
    assert entry.summary in shown
    assert f"Example: oracle-factory {entry.words}" in shown
    assert "<bool>" not in shown
    words = example(entry).split()[entry.words.count(" ") + 2 :]
    assert entry.load().make_context(entry.name, words).params


@everywhere
def test_misuse_is_one_line(entry: CommandEntry, capsys: pytest.CaptureFixture[str]) -> None:
    """An option that no command has gives status 2 and one line that names the command, the option and the help."""
    assert main([*entry.words.split(), "--no-such-option"]) == 2
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert printed.startswith(f"oracle-factory {entry.words}: No such option: --no-such-option")
    assert printed.endswith(f"see: {runnable('oracle-factory')} {entry.words} --help\n")


def test_help_of_the_program_lists_first_the_commands_that_people_use() -> None:
    """`oracle-factory --help` lists each command and group with its summary, nine of them first, without importing a room."""
    shown = RUN.invoke(app, ["--help"], env={"COLUMNS": "200"}).stdout
    for entry in COMMANDS:
        assert entry.panel in shown
        assert " " in entry.words or entry.summary in shown
    listed = {entry.words.partition(" ")[0] for entry in COMMANDS if " " in entry.words}
    assert listed == GROUPS.keys()
    assert len({entry.words.partition(" ")[0] for entry in COMMANDS if entry.panel == "Commands"}) == 9


@everywhere
def test_an_option_is_taken_under_its_other_names(entry: CommandEntry) -> None:
    """Of the names of one option a command has one option, and takes the others for it."""
    parameters = [
        one for one in entry.load().params if one.param_type_name == "option" and not getattr(one, "is_flag", False)
    ]
    for names in SPELLINGS:
        own = [one for one in parameters if not set(names).isdisjoint(one.opts)]
        assert len(own) <= 1
        for other in names if own else ():
            result = RUN.invoke(app, [*entry.words.split(), other, "1", "--no-such-option"])
            assert (result.exit_code, "No such option: --no-such-option" in result.stderr) == (2, True)


def test_version_and_a_misspelt_command() -> None:
    """`--version` prints the version of the distribution; the message on an unknown command names the nearest one."""
    assert RUN.invoke(app, ["--version"]).stdout == f"oracle-factory {__version__}\n"
    result = RUN.invoke(app, ["rechek"])
    assert (result.exit_code, "Did you mean 'recheck'?" in result.stderr) == (2, True)


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
        ("evaluate-validator x.jsonl --out validator", "sft.evaluation.problem_evaluation.read_problems", True),
        ("report latest", "reports.views.artefacts.find_run", False),
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
