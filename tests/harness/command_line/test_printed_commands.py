"""Every command that a message names is printed by `runnable`, and is one that its program takes."""

import ast
import functools
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer._click.core import Context
from typer.exceptions import TyperException

from harness.paths import ROOT
from oracle_factory.command import COMMANDS
from tests.cases import cases, rows
from tests.product_patterns import ROOMS

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)
WORDS = "|".join(dict.fromkeys(entry.words.split()[0] for entry in COMMANDS))
COMMAND = re.compile(
    rf"(?<![\w-])(?:oracle-factory (?:{WORDS})\b(?![\w ]*:)|pytest -|make (?:{'|'.join(TARGETS)})\b|python -m |(?:pip|uv) install|"
    r"streamlit run|hf auth)"
)
"""The beginning of a command. `oracle-factory verify: …` is the head of a message."""
QUOTED = re.compile(r"`((?:oracle-factory|pytest|make|python -m) [^`]+)`")
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


def command_texts(node: ast.AST, place: str, within: str = "") -> Iterator[CommandText]:
    """Yield the texts of a syntax tree that name a command, each with its holder: `runnable`, a table, a help text, or none."""
    children = [(child, within) for child in ast.iter_child_nodes(node)]
    match node:
        case ast.Expr(ast.Constant()):  # a docstring prints nothing
            return
        case ast.Constant(str() as text) if COMMAND.search(text):
            yield CommandText(text, f"{place}:{node.lineno}", within)
        case ast.JoinedStr(values):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE for part in values)
            if COMMAND.search(text):
                yield CommandText(text, f"{place}:{node.lineno}", within)
            children = [(part.value, "") for part in values if isinstance(part, ast.FormattedValue)]
        case ast.Call(func, arguments, keywords):
            held = "runnable" if ast.unparse(func) == "runnable" else within
            children = [(func, within), *((argument, held) for argument in arguments)]
            children += [
                (own.value, "help" if own.arg in HELP else "table" if own.arg in TABLE else within) for own in keywords
            ]
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)) if name in TABLE:
            children = [(child, "table") for child, _ in children]
    for child, held in children:
        yield from command_texts(child, place, held)


@functools.cache
def product_texts() -> tuple[CommandText, ...]:
    """Return the texts of the modules of the product that name a command."""
    return tuple(
        text
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if COMMAND.search(source := path.read_text("utf-8"))
        for text in command_texts(ast.parse(source), path.relative_to(ROOT).as_posix())
    )


def test_every_command_that_is_printed_can_be_run(request: pytest.FixtureRequest) -> None:
    """Its program, sub-command, options, markers and targets exist, and where it is printed nothing required is missing."""
    wrong, kinds = {}, set()
    for text in product_texts():
        for command in text.commands:
            fault = _fault(shlex.split(command), request.config, whole=text.within in {"runnable", "table"})
            kinds.add(f"{text.within}: {command.split()[0]}")
            if fault:
                wrong[f"{text.place}: {command}"] = fault
    assert wrong == {}
    assert kinds >= {"runnable: make", "runnable: oracle-factory", "table: pytest"}


def _page(path: Path) -> str:
    """Return a page with its commands on one line each, and what make fills in as values."""
    text = path.read_text("utf-8").replace("\\\n", " ")
    if path.suffix != ".md":
        for pattern, value in (
            (r"\$\(COMMAND\)", "| oracle-factory"),
            (r"\$\(\w*OPTIONS\)", ""),
            (r"\$\([\w-]+\)", VALUE),
            (r"\$\(wildcard [^()]*\)", VALUE),
        ):
            text = re.sub(pattern, value, text)
        text = re.sub(r"\$\((?:if|foreach \w+,)[^,()]*,([^()]*)\)", r"\1", text)
    return text


DOCUMENTED = re.compile(r"(?:^    |^\$ |\| |`)((?:oracle-factory [a-z]|make [a-z]|pytest -)[^`\n|>;&]*)", re.MULTILINE)


def test_every_command_in_the_documents_exists(request: pytest.FixtureRequest) -> None:
    """The commands of the documents and of the Makefile name sub-commands, targets and options that exist, and values that are taken."""
    wrong, count = {}, 0
    declared = set(re.findall(r"--harness-[a-z-]+", request.config._parser.optparser.format_help()))  # as above
    manual = (page for page in (ROOT / "docs").glob("*.md") if not page.is_symlink())  # the others tell of the past
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "Makefile", *manual):
        text = _page(page)
        for command in DOCUMENTED.findall(text):
            count += 1
            words = [word for word in shlex.split(command, comments=True) if word != "--help"]
            if fault := _fault(words, request.config, whole=False):
                wrong[f"{page.name}: {command}"] = fault
        for option in set(re.findall(r"--harness-[a-z]+(?:-[a-z]+)*", text)) - declared:
            wrong[f"{page.name}: {option}"] = "no option of pytest"
    assert (wrong, count > 100) == ({}, True)


@cases(
    ("command", "fault"),
    rows("""oracle-factory report RUN --htlm → --htlm | oracle-factory datasets --run RUN → out
oracle-factory judge FILE FILE --out DIR --engine dask → engine 'dask'
make install-everything → install-everything | make label LABEL=FILE → LABEL=FILE
pytest -n auto -m formalisation → formalisation | python -m benchmarks.nothing → benchmarks.nothing
streamlit run reports/app/page.py → reports/app/page.py"""),
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
                word
                for word in rest
                if not any(re.fullmatch(word.replace(VALUE, ".+"), name) for name in TARGETS)
                and ("=" not in word or f"$({word.partition('=')[0]})" not in MAKEFILE)
            )
        case "pytest":
            known, unknown = config._parser.parse_known_and_unknown_args(rest)  # pytest has no public one
            marks = {line.partition(":")[0] for line in config.getini("markers")}
            names = set(re.findall(r"\w+", known.markexpr)) - {"or", "and", "not"}
            return " ".join([*unknown, *sorted(names - marks - {VALUE})])
        case "python":
            path = ROOT / rest[1].replace(".", "/")
            return "" if rest[1] == "pip" or path.exists() or path.with_suffix(".py").exists() else rest[1]
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
