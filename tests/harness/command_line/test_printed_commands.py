"""Every command that a message names is printed by `runnable`, and is one that its program takes."""

from __future__ import annotations

import ast
import functools
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typer._click.core import Context
from typer.exceptions import TyperException

from harness.paths import ROOT
from oracle_factory.command import COMMANDS
from tests.cases import cases
from tests.product_patterns import ROOMS

if TYPE_CHECKING:
    import pytest

TARGETS = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
WORDS = "|".join(dict.fromkeys(entry.words.split()[0] for entry in COMMANDS))
COMMAND = re.compile(
    rf"(?<![\w-])(?:oracle-factory (?:{WORDS})\b(?![\w ]*:)|pytest -|make (?:{'|'.join(TARGETS)})\b|python -m |(?:pip|uv) install|"
    r"streamlit run|hf auth)"
)
"""The beginning of a command. `oracle-factory verify: …` is the head of a message."""
QUOTED = re.compile(r"`((?:oracle-factory|pytest|make|python -m) [^`]+)`")
FOR_OTHERS = {
    "properties/environment.py": "a card, the same bytes wherever it is made",
    "reports/dataset_card.py": "as above",
    "sft/datasets/card.py": "as above",
    "sft/training/adapter.py": "as above",
    "reports/views/artefacts.py": "what a page says",
    "harness/records/catalogue.py": "a page of the manual",
    "oracle_factory/python_page.py": "as above",
}
"""Modules that write files for other people, who have another environment, with the reason."""
HELP = {"help", "epilog", "about"}
TABLE = {"command", "APP"}
"""The names under which tables hold a command, which its readers give to `runnable`."""
VALUE = "X"
"""What stands for a value of an f-string."""


@dataclass(frozen=True, slots=True)
class CommandText:
    """A text of the product that names a command, with its place; `within` says what holds it."""

    text: str
    place: str
    within: str

    @property
    def commands(self) -> tuple[str, ...]:
        """Return the commands in it: the whole text, or the texts between backticks."""
        return (self.text,) if COMMAND.match(self.text) else tuple(QUOTED.findall(self.text))


class Reader(ast.NodeVisitor):
    """Reads the texts of a module, each with its holder: `runnable`, a table, a help text, or none."""

    def __init__(self, place: str) -> None:
        self.place, self.within, self.local = place, "", 0
        self.texts, self.bare = list[CommandText](), list[str]()

    def visit_Call(self, node: ast.Call) -> None:
        """Read the arguments of `runnable`, and the help texts given to Typer and pytest."""
        printed = ast.unparse(node.func) == "runnable"
        for argument in node.args:
            self._read(argument, "runnable" if printed else self.within)
        for keyword in node.keywords:
            self._read(
                keyword.value, "help" if keyword.arg in HELP else "table" if keyword.arg in TABLE else self.within
            )
        self._read(node.func, self.within)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Read a function, whose local names are no table."""
        self.local += 1
        for child in ast.iter_child_nodes(node):
            self._read(child, "")
        self.local -= 1

    def visit_Assign(self, node: ast.Assign) -> None:
        """Read an entry of a table, which a class or a module holds."""
        self._read(node.value, self._entry(node.targets[0]))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Read an annotated entry of a table, which a class or a module holds."""
        for child in filter(None, (node.value, node.annotation)):
            self._read(child, self._entry(node.target))

    def visit_Expr(self, node: ast.Expr) -> None:
        """Read an expression; a docstring prints nothing."""
        if not isinstance(node.value, ast.Constant):
            self._read(node.value, self.within)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Read an f-string with a word for each value, then its values."""
        parts = (str(part.value) if isinstance(part, ast.Constant) else VALUE for part in node.values)
        self._keep("".join(parts), node.lineno)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                shown = part.value
                if self.within != "runnable" and isinstance(shown, ast.Attribute) and shown.attr in TABLE:
                    self.bare.append(f"{self.place}:{node.lineno}: {ast.unparse(part)}")
                self._read(part.value, "")

    def visit_Constant(self, node: ast.Constant) -> None:
        """Read a text."""
        if isinstance(node.value, str):
            self._keep(node.value, node.lineno)

    def _entry(self, target: ast.expr) -> str:
        return "table" if not self.local and ast.unparse(target) in TABLE else self.within

    def _keep(self, text: str, line: int) -> None:
        if COMMAND.search(text):
            self.texts.append(CommandText(text, f"{self.place}:{line}", self.within))

    def _read(self, node: ast.AST, within: str) -> None:
        before, self.within = self.within, within
        self.visit(node)
        self.within = before


@functools.cache
def readers() -> tuple[Reader, ...]:
    """Return all texts in the modules of the product."""
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            reader = Reader(path.relative_to(ROOT).as_posix())
            source = path.read_text("utf-8")
            if COMMAND.search(source):
                reader.visit(ast.parse(source))
            found.append(reader)
    return tuple(found)


def _texts() -> list[CommandText]:
    return [text for reader in readers() for text in reader.texts]


def test_every_message_prints_its_commands_through_one_function() -> None:
    """A text that names a command is given to `runnable`, is in a table or a help text, or in a file for other people."""
    outside = [text for text in _texts() if not text.within and text.place.partition(":")[0] not in FOR_OTHERS]
    assert outside == []
    assert [place for reader in readers() for place in reader.bare] == [], (
        "entries of tables that are printed as they are"
    )
    assert {text.place.partition(":")[0] for text in _texts() if not text.within} == set(FOR_OTHERS)


@cases(
    ("source", "kept"),
    [
        ("raise E('run: make install')", "''"),
        ("raise E(f'{path}: run make install')", "''"),
        ("raise E(f'run: {runnable(\"make install\")}')", "'runnable'"),
        ("HOW = 'run: make install'", "''"),
        ("def f():\n  command = 'make install'", "''"),
        ("class Row:\n  command = 'make install'", "'table'"),
        ("f'run: {row.command}'", "1 bare"),
        ("f'run: {runnable(row.command)}'", "0 bare"),
    ],
)
def test_the_reader_knows_what_holds_a_text(source: str, kept: str) -> None:
    """A message, a constant and a local name hold nothing; an entry of a table that is printed as it is, is found."""
    reader = Reader("here")
    reader.visit(ast.parse(source))
    assert kept in f"{[text.within for text in reader.texts]} {len(reader.bare)} bare"


def test_every_command_that_is_printed_can_be_run(request: pytest.FixtureRequest) -> None:
    """Its program, sub-command, options, markers and targets exist, and where it is printed nothing required is missing."""
    wrong, kinds = {}, set()
    for text in _texts():
        for command in text.commands:
            fault = _fault(shlex.split(command), request.config, whole=text.within in {"runnable", "table"})
            kinds.add(f"{text.within}: {command.split()[0]}")
            if fault:
                wrong[f"{text.place}: {command}"] = fault
    assert wrong == {}
    assert kinds >= {"runnable: make", "runnable: oracle-factory", "table: pytest"}


@cases(
    ("command", "fault"),
    [
        ("oracle-factory report RUN --htlm", "--htlm"),
        ("oracle-factory reprot RUN", "no such sub-command"),
        ("oracle-factory datasets --run RUN", "out"),
        ("oracle-factory judge FILE FILE --out DIR --engine dask", "engine 'dask'"),
        ("oracle-factory next RUN FILE", "FILE"),
        ("make install-everything", "install-everything"),
        ("pytest -n auto -m formalisation", "formalisation"),
        ("pytest -n auto -m formalization --harness-rum=X", "--harness-rum"),
        ("python -m benchmarks.nothing", "benchmarks.nothing"),
        ("streamlit run reports/app/page.py", "reports/app/page.py"),
        ("pip install rich", "pip"),
    ],
)
def test_a_command_that_cannot_be_run_is_noticed(command: str, fault: str, request: pytest.FixtureRequest) -> None:
    """The check above finds wrong names, options, values, markers and files, and missing arguments."""
    assert fault in _fault(shlex.split(command), request.config, whole=True)


def _fault(words: list[str], config: pytest.Config, *, whole: bool) -> str:
    """Return what is wrong with a command, an empty text if nothing is; `whole` asks for what is required, too."""
    program, *rest = words
    match program:
        case "oracle-factory":
            return _sub_command_fault(rest, whole=whole)
        case "make":
            return ", ".join(
                word for word in rest if not any(re.fullmatch(word.replace(VALUE, ".+"), name) for name in TARGETS)
            )
        case "pytest":
            known, unknown = config._parser.parse_known_and_unknown_args(rest)  # pytest has no public one
            marks = {line.partition(":")[0] for line in config.getini("markers")}
            names = set(re.findall(r"\w+", known.markexpr)) - {"or", "and", "not"}
            return " ".join([*unknown, *sorted(names - marks)])
        case "python":
            module = rest[1]
            return (
                ""
                if any((ROOT / module.replace(".", "/")).with_suffix(end).exists() for end in ("", ".py"))
                else module
            )
        case "streamlit":
            return "" if (ROOT / rest[1]).is_file() else rest[1]
        case "hf":
            return ""
    return f"{program}: no program of this environment"


def _sub_command_fault(words: list[str], *, whole: bool) -> str:
    named = [entry for entry in COMMANDS if words[: len(entry.words.split())] == entry.words.split()]
    if not named:
        groups = any(words == entry.words.split()[:1] for entry in COMMANDS)
        return "" if groups and not whole else "no such sub-command"
    command = named[0].load()
    context = Context(command, resilient_parsing=True)
    parser = command.make_parser(context)
    context.resilient_parsing = False
    try:
        given, left, _ = parser.parse_args(words[len(named[0].words.split()) :])
    except TyperException as error:
        return error.format_message()
    needed = [parameter.name for parameter in command.params if parameter.required and not given.get(parameter.name)]
    wrong = [
        f"{parameter.name} {value!r}"
        for parameter in command.params
        if (choices := [getattr(choice, "value", choice) for choice in parameter.type_descriptor.choices or ()])
        for value in (given.get(parameter.name) or () if parameter.multiple else [given.get(parameter.name)])
        if isinstance(value, str) and not value.isupper() and value not in choices
    ]
    return ", ".join([*left, *(needed if whole else ()), *wrong])
