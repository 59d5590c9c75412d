"""The command `oracle-factory`: its sub-commands, which are imported when they are run, and its messages about misuse."""

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from harness.command_line.runnable_commands import optional_packages, runnable
from harness.command_line.termination import leave_at_sigterm
from harness.errors import HarnessError, StorageError, told_of_file
from harness.paths import ROOT
from harness.text.characters import one_line
from oracle_factory import __version__

PROGRAM = "oracle-factory"
UNUSABLE, UNWRITABLE, INTERRUPTED = 2, 4, 130
GOING_ON = {"judge", "run", "evaluate", "evaluate-validator", "smt validate", "smt run"}
"""The commands that, given again, go on where they were stopped."""
LONGEST_MESSAGE = 1_000
SPELLINGS = (
    ("--output", "--out", "--output-dir", "-o"),
    ("--processes", "--jobs", "--workers", "-j"),
    ("--batch", "--batch-size"),
    ("--learning-rate", "--lr"),
    ("--count", "--num-examples"),
    ("--rounds", "--max-iters"),
)
"""Names of one option: a command that has one of them takes the others."""


class PlainFlags:
    """A command whose help shows no value type beside a flag, because a flag takes no value."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, among them `--help`."""
        parameters = super().get_params(ctx)  # type: ignore[misc]  # of the command that this is mixed into
        for parameter in parameters:
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""
        return parameters


class Command(PlainFlags, TyperCommand):
    """A sub-command, which takes the other spellings of its options, too, and `--run RUN` where a run is its argument."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, each option under the name that this command gives it."""
        valued = [one for one in self.params if one.param_type_name == "option" and not getattr(one, "is_flag", False)]
        options = {name for parameter in valued for name in parameter.opts}
        spelled = {other: name for names in SPELLINGS for name in options.intersection(names) for other in names}
        parts = [word.partition("=") for word in args]
        named = [f"{spelled.get(name, name)}{sign}{value}" for name, sign, value in parts]
        if "--run" not in options and any(parameter.name == "run" for parameter in self.params):
            named = [word.removeprefix("--run=") for word in named if word != "--run"]
        return super().parse_args(ctx, named)


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A sub-command: its words, the function that runs it as MODULE:NAME, and the panel of the help."""

    words: str
    target: str
    panel: str

    @property
    def summary(self) -> str:
        """Return what it does: the first line of the function's docstring, read from its file, since an import takes time."""
        module, _, name = self.target.partition(":")
        source = ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
        wrapped = source.partition(f"\n{name} = from_fields(")[2].partition(")")[0]
        return source.partition(f"\ndef {wrapped or name}(")[2].partition('"""')[2].partition("\n")[0]

    @property
    def name(self) -> str:
        """Return the last word."""
        return self.words.rpartition(" ")[2]

    def load(self) -> TyperCommand:
        """Import the function and return its command, whose help is the function's docstring."""
        module, _, name = self.target.partition(":")
        function: Callable[..., int] = getattr(importlib.import_module(module), name)
        app = typer.Typer(add_completion=False, rich_markup_mode="rich")
        text = (function.__doc__ or "").partition("Raises:")[0].replace("Returns:\n", "Exit status:\n")
        app.command(self.name, cls=Command, help=text)(function)
        command = typer.main.get_command(app)
        assert isinstance(command, TyperCommand)  # noqa: S101  # an app of one function is a command
        return command


PANELS = {
    "Commands": {
        "run": "properties.command:run",
        "formalize": "generators.formalizations.llm_formalizers.command:formalize",
        "judge": "properties.command:judge",
        "report": "reports.command:report",
        "verify": "properties.command:verify",
        "audit": "properties.audit:audit",
        "validate": "sft.validator.problem_engine:validate",
        "review init": "reports.review.command:init",
        "review progress": "reports.review.command:progress",
        "review agreement": "reports.review.command:agreement",
        "review seal": "reports.review.command:seal",
        "review export": "reports.review.command:export",
        "review import": "reports.review.command:import_decisions",
        "datasets": "sft.datasets.command:datasets",
    },
    "Advanced": {
        "next": "properties.command:next_questions",
        "compare": "reports.command:compare",
        "recheck": "properties.command:recheck",
        "flaws": "properties.command:flaws",
        "env": "properties.command:env",
        "card": "reports.dataset_card:card",
        "train": "sft.training.command:train",
        "evaluate": "sft.evaluation.command:evaluate",
        "evaluate-validator": "sft.evaluation.command:evaluate_validator",
        "smt generate": "generators.constraints.command:generate",
        "smt filter": "oracles.constraints.command:filter_programs",
        "smt repair": "generators.constraints.command:repair",
        "smt validate": "oracles.constraints.command:validate",
        "smt align": "oracles.constraints.command:align",
        "smt format": "sft.constraints.command:format_dataset",
        "smt train": "sft.constraints.command:train",
        "smt generate-programs": "sft.constraints.command:generate_programs",
        "smt refine": "sft.constraints.command:refine",
        "smt evaluate": "sft.constraints.command:evaluate",
        "smt run": "properties.constraints.command:run",
        "docs formats": "harness.records.catalogue:formats",
        "docs python": "oracle_factory.python_page:python",
    },
}
"""By panel of the help and words, the function of a command as MODULE:NAME: first the nine that people use most."""
COMMANDS = tuple(
    CommandEntry(words, target, panel) for panel, commands in PANELS.items() for words, target in commands.items()
)
GROUPS = {
    "review": ("Commands", "Follow, seal, export and import a review."),
    "smt": ("Advanced", "Problems with programs in SMT-LIB 2, step by step."),
    "docs": ("Advanced", "Print pages of the documentation."),
}


class CommandTree(PlainFlags, TyperGroup):
    """A group of commands that imports the module of a command when the command is run or asked for help."""

    prefix = ""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # as the base class has it
        """Return the names of this group's commands and groups, in the order of the help."""
        return list(dict.fromkeys(entry.words.removeprefix(self.prefix).split(" ")[0] for entry in self._entries()))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  # as the base class has it
        """Return a command as the help lists it: its name, panel and summary, without its options."""
        words = self.prefix + cmd_name
        if any(entry.words.startswith(f"{words} ") for entry in COMMANDS):
            panel, summary = GROUPS[words]
            group = CommandTree(name=cmd_name, help=summary, rich_help_panel=panel, no_args_is_help=True)
            group.prefix = f"{words} "
            return group
        for entry in self._entries():
            if entry.words == words:
                return TyperCommand(cmd_name, help=entry.summary, rich_help_panel=entry.panel)
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command that the arguments name, imported."""
        names: Any = dict.fromkeys(self.list_commands(ctx))
        self.commands = names  # from which the base class takes its suggestions
        name, command, rest = super().resolve_command(ctx, args)
        entry = next((entry for entry in self._entries() if entry.words == f"{self.prefix}{name}"), None)
        return name, command if entry is None else entry.load(), rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command and return its exit status; a mistake of the user, or what the installation lacks, is one line."""
        try:
            with optional_packages():
                return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except KeyboardInterrupt:
            kept = f"{self.prefix}{ctx.invoked_subcommand}" in GOING_ON
            then = "; finished work is kept, and the same command continues from there" if kept else ""
            sys.stderr.write(f"{ctx.command_path} {ctx.invoked_subcommand}: interrupted{then}\n")
            return INTERRUPTED
        except (HarnessError, OSError) as error:
            told = told_of_file(error) if isinstance(error, OSError) else error
            _write_line(f"{ctx.command_path} {ctx.invoked_subcommand}: {told}")
            return UNWRITABLE if isinstance(error, StorageError) else UNUSABLE

    def _entries(self) -> list[CommandEntry]:
        return [entry for entry in COMMANDS if entry.words.startswith(self.prefix)]


def _write_line(message: str) -> None:
    sys.stderr.write(f"{one_line(message, limit=LONGEST_MESSAGE)}\n")


def _message(error: TyperException) -> str:
    """Return one line: the command, the parameter, what was expected, the value, and where to read more."""
    text = error.format_message()
    cause = error.__cause__
    if isinstance(error, typer.BadParameter) and error.param is not None:
        name = error.param.opts[0]
        if isinstance(cause, ValidationError):
            text = f"{name}: {_expectation(cause)}"
        elif error.message:
            text = f"{name}: {error.message}"
    context = getattr(error, "ctx", None)
    path = PROGRAM if context is None else context.command_path
    return f"{path}: {text.rstrip('.')}; see: {runnable(path)} --help"


def _expectation(error: ValidationError) -> str:
    """Return what was expected of a value, and the value."""
    first = error.errors(include_url=False)[0]
    limits = first.get("ctx", {})
    expected = {
        "int_parsing": "a whole number",
        "int_parsing_size": "a whole number",
        "float_parsing": "a number",
        "greater_than_equal": f"a number of at least {limits.get('ge')}",
        "less_than_equal": f"a number of at most {limits.get('le')}",
    }.get(first["type"])
    if expected is None:
        return first["msg"].removeprefix("Value error, ").rstrip(".")
    return f"expected {expected}, found {repr(first['input'])[:80]}"


app = typer.Typer(cls=CommandTree, name=PROGRAM, rich_markup_mode="rich", no_args_is_help=True)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback()
def oracle_factory(
    *,
    version: Annotated[  # the callback of the option reads it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Prove, make, review and learn labels of mathematical-reasoning data.

    The suites of the pipeline run under pytest: see the README.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status: with one message 2 where the user made a mistake, 4 where a file cannot be written."""
    if arguments is None:
        # A terminal that lacks a character shows its escape; the command continues.
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are text streams
        leave_at_sigterm()
    status: int | None = UNUSABLE
    try:
        status = typer.main.get_command(app).main(arguments, PROGRAM, standalone_mode=False)
    except TyperException as error:
        if error.format_message():
            _write_line(_message(error))
    except typer.Abort:
        pass
    return status or 0
