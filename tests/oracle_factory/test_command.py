"""What holds of every sub-command of `oracle-factory`: help, misuse, completion and version."""

import importlib
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from oracle_factory import __version__
from oracle_factory.command import COMMANDS, GROUPS, CommandEntry, app

RUN = CliRunner()
SECONDS = 0.4
"""What the help may take of a processor; the clock of a busy machine is no measure."""
MEASURED = (
    "import resource, sys; from oracle_factory.command import main; main(sys.argv[1:]);"
    "u = resource.getrusage(resource.RUSAGE_SELF); sys.stderr.write(str(u.ru_utime))"
)
everywhere = pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.words.replace(" ", "-"))


def quick_help(*words: str) -> str:
    """Return the help of a command, whose best of three processor times is below the limit."""
    seconds = []
    for _ in range(3):
        command = [sys.executable, "-c", MEASURED, *words, "--help"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds.append(float(done.stderr))
        if seconds[-1] < SECONDS:
            break
    assert min(seconds) < SECONDS
    return done.stdout


def example(entry: CommandEntry) -> str:
    """Return the example in the help of a command, from its docstring."""
    module, _, name = entry.target.partition(":")
    lines = (getattr(importlib.import_module(module), name).__doc__ or "").splitlines()
    (line,) = [line.strip() for line in lines if line.strip().startswith("Example: ")]
    return line.removeprefix("Example: ")


@everywhere
def test_help_is_quick_and_has_an_example(entry: CommandEntry) -> None:
    """`--help` of each command starts with its summary, shows one example of it, and imports nothing heavy."""
    shown = " ".join(quick_help(*entry.words.split()).split())
    assert entry.summary in shown
    assert f"Example: oracle-factory {entry.words}" in shown


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
    assert result.stderr.endswith(f"see: oracle-factory {entry.words} --help\n")


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
    quick_help()


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
