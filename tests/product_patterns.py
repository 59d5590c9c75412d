"""The regular expressions of the product: where they stand, how they are used, and texts that are awkward for them."""

import ast
import functools
import importlib
import re
import re._constants as sre  # the parsed form of a pattern has no public name
import re._parser as sre_parser  # as above
import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.paths import ROOT

ROOMS = ("oracle_factory", "harness", "generators", "oracles", "properties", "reports", "sft", "snapshots")
WITHOUT_A_SCAN = {"match", "fullmatch"}
CALLS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}


@dataclass(frozen=True, slots=True)
class ProductPattern:
    """A regular expression, the module and name that it stands under, and whether a text is searched for it."""

    pattern: re.Pattern[str]
    module: str
    name: str
    searched: bool

    @property
    def place(self) -> str:
        """Return where it stands."""
        return f"{self.module}.{self.name}"


def product_patterns() -> list[ProductPattern]:
    """Return every regular expression that a module of the product holds or gives to `re` as a constant, each once."""
    found: dict[tuple[str, int, bool], ProductPattern] = {}
    sources = {path: path.read_text("utf-8") for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))}
    uses = _uses("\n".join(sources.values()))
    for path, source in sources.items():
        if not re.search(r"\bre\.\w", source):
            continue
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for own in (*_constants(module, source), *_named(module, source, uses)):
            found.setdefault((own.pattern.pattern, own.pattern.flags, own.searched), own)
    return list(found.values())


def _named(module: str, source: str, everywhere: dict[str, set[str]]) -> Iterator[ProductPattern]:
    """Yield what a module holds under a name, in tables and records, too."""
    if "re.compile(" not in source:
        return
    own = _uses(source)
    for name, value in vars(importlib.import_module(module)).items():
        for pattern in _held(value, set()):
            if isinstance(pattern.pattern, str) and name in source:
                used = {method for target in _names(name, source) for method in own.get(target, ())}
                used |= set() if name.startswith("_") else everywhere.get(name, set())
                yield ProductPattern(pattern, module, name, searched=not used or not used <= WITHOUT_A_SCAN)


def _held(value: Any, seen: set[int]) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    if id(value) in seen or isinstance(value, str | bytes | int | float | type):
        return
    seen.add(id(value))
    if isinstance(value, dict):
        for part in (*value, *value.values()):
            yield from _held(part, seen)
    elif isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from _held(part, seen)
    elif type(value).__module__.split(".")[0] in ROOMS and hasattr(value, "__dataclass_fields__"):
        for field in value.__dataclass_fields__:
            yield from _held(getattr(value, field, None), seen)


def _constants(module: str, source: str) -> Iterator[ProductPattern]:
    """Yield the constants that functions of `re` are given."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in CALLS
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            searched = node.func.attr not in WITHOUT_A_SCAN
            yield ProductPattern(re.compile(node.args[0].value), module, f"line {node.lineno}", searched=searched)


def _uses(source: str) -> dict[str, set[str]]:
    """Return by name the methods of a pattern that are called on it. Whatever is not seen to be matched may be searched for."""
    uses: dict[str, set[str]] = {}
    for name, method in re.findall(rf"\b(\w+)(?:\[\w+\])?\.({'|'.join(sorted(CALLS))})\(", source):
        uses.setdefault(name, set()).add(method)
    return uses


def _names(name: str, source: str) -> set[str]:
    """Return a name with those that loops over it give its parts."""
    loops = re.findall(rf"\bfor ([\w, ()]+?) in [^\n]*\b{name}\b", source)
    return {name, *(target for targets in loops for target in re.findall(r"\w+", targets))}


GENERIC = (
    *"a1 \n\t()[]{}\"'`+-*/=<>.,$%_|\\:#éA",
    *("```", "a ", "1 ", "1,", "1.", "1/2 ", "1+", "a=", "a,", "a. ", "$1 ", "\n ", "x = 1\n", "the apples cost 5 "),
    *("(a ", "((1)", "<<1+1=2>>", "\\n", "-1", "a1", "<!--", "/*", "A, ", "If a, ", '{"a": '),
)
"""What awkward texts repeat: letters, digits, spaces, brackets, quotes, backticks, operators, line breaks, and mixtures."""


def awkward_texts(pattern: re.Pattern[str], length: int) -> Iterator[tuple[str, str]]:
    """Yield texts of a length with what they repeat: `GENERIC`, and what the parts of the pattern that repeat match.

    The latter stand behind what the pattern wants before them, once or each time, and end by a character that nothing matches.
    """
    yield from _generic_texts(length)
    pumps: list[tuple[str, str]] = []
    whole = _example(sre_parser.parse(pattern.pattern, pattern.flags), "", pumps)
    for unit in (whole, whole[:-1], f"{whole}!", f"{whole}\n"):
        if unit:
            yield f"example {unit[:40]!r}", _repeated(unit, length)
    for before, unit in dict.fromkeys(pumps):
        if unit:
            yield f"{before[-30:]!r}, then {unit[:30]!r} again and again", f"{before}{_repeated(unit, length)}\0"
            if before:
                yield f"{before[-30:] + unit[:30]!r} again and again", f"{_repeated(before + unit, length)}\0"


@functools.lru_cache(maxsize=4)
def _generic_texts(length: int) -> list[tuple[str, str]]:
    return [(repr(unit), _repeated(unit, length)) for unit in GENERIC]


def _repeated(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def _example(tree: Any, before: str, pumps: list[tuple[str, str]]) -> str:
    """Return a short text that the nodes of a parsed pattern match; collect what stands before each repetition, and what it repeats."""
    text = ""
    for operator, value in tree:
        character = _character(operator, value)
        if character is not None:
            text += character
        elif operator in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
            least, most, inner = value
            unit = _example(inner, before + text, pumps)
            if most > 50:
                pumps.append((before + text, unit))
            text += unit * max(min(least, 100), 1)
        elif operator is sre.SUBPATTERN:
            text += _example(value[3], before + text, pumps)
        elif operator is sre.ATOMIC_GROUP:
            text += _example(value, before + text, pumps)
        elif operator is sre.BRANCH:
            text += _example(value[1][0], before + text, pumps)
        elif operator is sre.ASSERT and value[0] > 0:
            _example(value[1], before + text, pumps)
    return text


_CLASSES = {
    sre.CATEGORY_DIGIT: ("1", r"\d"),
    sre.CATEGORY_NOT_DIGIT: ("a", r"\D"),
    sre.CATEGORY_SPACE: (" ", r"\s"),
    sre.CATEGORY_NOT_SPACE: ("a", r"\S"),
    sre.CATEGORY_WORD: ("a", r"\w"),
    sre.CATEGORY_NOT_WORD: (" ", r"\W"),
}


def _character(operator: Any, value: Any) -> str | None:
    """Return a character that a node of width one matches, `None` for another node."""
    if operator is sre.LITERAL:
        return chr(value)
    if operator is sre.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if operator is sre.ANY:
        return "a"
    if operator is sre.RANGE:
        return chr(value[0])
    if operator is sre.CATEGORY:
        return _CLASSES[value][0]
    if operator is not sre.IN:
        return None
    if value[0][0] is not sre.NEGATE:
        return _character(*value[0])
    return next(
        (sign for sign in "a1 .-\n(\"'" + string.printable if not any(_has(*part, sign) for part in value[1:])), ""
    )


def _has(operator: Any, value: Any, sign: str) -> bool:
    if operator is sre.LITERAL:
        return chr(value) == sign
    if operator is sre.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    return re.match(_CLASSES[value][1], sign) is not None
