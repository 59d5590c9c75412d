"""The operations of a step that convert one unit into another, with their factor and its two units."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import Path, nodes
from harness.solution.trace import TraceEntry
from harness.text.lexicon import word_lists
from harness.text.nouns import singular_noun
from harness.text.units import DAYS, factor

_LISTS = word_lists(__file__)

DOZEN = "dozen"


def _pair(units: str) -> tuple[str, str]:
    small, _, large = units.partition("/")
    return small, large


def _factors(small: str, large: str) -> tuple[int, ...]:
    if small == "day" and large in DAYS:
        return DAYS[large]
    return (factor("piece" if small == "item" else small, large),)


CONFUSED: dict[tuple[str, str], tuple[int, ...]] = {
    _pair(units): tuple(factors) for units, factors in _LISTS.mapping("confused").items()
}
"""Factors of other units that a person takes for this one."""
FACTORS = {pair: _factors(*pair) for pair in CONFUSED}
"""How many of the smaller unit make one of the larger."""
_PAIRS: dict[Exact, list[tuple[str, str]]] = {}
for _units, _values in FACTORS.items():
    for _value in _values:
        _PAIRS.setdefault(_value, []).append(_units)
_ALIASES: dict[str, str] = _LISTS.mapping("aliases")  # fmt: skip
_CONNECTORS = frozenset(["per", "in", "to", "a", "an", "each", "of", "one"])
_WORD = re.compile(r"[a-z]+|\d+")
_BETWEEN = _LISTS.words("between")


@dataclass(frozen=True, slots=True)
class Conversion:
    """An operation of a step that converts units: `side` tells which of its operands is the factor."""

    path: Path
    operator: str
    side: int
    factor: Exact
    small: str
    large: str

    @property
    def factor_path(self) -> Path:
        """Return where the factor stands."""
        return (*self.path, self.side)

    @property
    def other_path(self) -> Path:
        """Return where the converted quantity stands."""
        return (*self.path, 1 - self.side)


def conversions(source: FlawSource, variable: str) -> list[Conversion]:
    """Return the conversions of a step: by the name or comment of the factor, or by the units on either side of it."""
    converting = []
    expression = source.expression(variable)
    for path, node in nodes(expression):
        if not isinstance(node, ir.Binary) or node.operator not in {"*", "/"}:
            continue
        for side in (1,) if node.operator == "/" else (1, 0):
            leaf, other = (node.right, node.left) if side else (node.left, node.right)
            value = _leaf_value(source, leaf)
            if value is None or value not in _PAIRS:
                continue
            pair = _by_words_of(source, leaf) or _between(
                source, variable if not path else None, node.operator, other, value
            )
            if pair is not None:
                converting.append(Conversion(path, node.operator, side, value, *pair))
                break
    return converting


def is_conversion_factor(entry: TraceEntry) -> bool:
    """Tell whether an input is a factor between two units by its name or comment: `minutes_per_hour`."""
    return entry.role.is_input and _by_words(entry) is not None


def _leaf_value(source: FlawSource, node: ir.Expr) -> Exact | None:
    match node:
        case ir.Const(int() as value) if not isinstance(value, bool):
            return value
        case ir.Name(name) if name in source.trace.by_name and source.trace.by_name[name].role.is_input:
            return source.values[name]
    return None


def _by_words_of(source: FlawSource, node: ir.Expr) -> tuple[str, str] | None:
    return _by_words(source.trace.by_name[node.name]) if isinstance(node, ir.Name) else None


def _by_words(entry: TraceEntry) -> tuple[str, str] | None:
    return _factor_named(entry.variable, entry.comment, entry.value)


@lru_cache(maxsize=4096)
def _factor_named(variable: str, comment: str, value: Exact) -> tuple[str, str] | None:
    pairs = _PAIRS.get(value)
    if pairs is None:
        return None
    named = [_unit(word) for word in _WORD.findall(variable.lower())]
    if DOZEN in named:
        return ("item", DOZEN) if value == 12 else None
    if not _CONNECTORS.isdisjoint(named):
        for pair in pairs:
            if pair[0] in named and pair[1] in named:
                return pair
    return _factor_in(comment, value, pairs)


def _factor_in(comment: str, value: Exact, pairs: list[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the units of `60 minutes in an hour`, `1 hour = 60 minutes` or `minutes per hour`."""
    words = [_unit(word) for word in _WORD.findall(comment.lower())]
    content = [word for word in words if word not in _BETWEEN]
    number = str(value)
    for small, large in pairs:
        if content in ([number, small, large], [large, number, small], [small, large]):
            return small, large
    return None


def _between(
    source: FlawSource, result: str | None, operator: str, other: ir.Expr, value: Exact
) -> tuple[str, str] | None:
    """Return the units before and after the operation, where the value is the factor between them."""
    read = {source.units[name] for name in ir.names_in_order(other) if name in source.units}
    if result is None or len(read) != 1:
        return None
    before, after = _unit(read.pop().noun), _unit(source.units[result].noun)
    pair = (after, before) if operator == "*" else (before, after)
    return pair if value in FACTORS.get(pair, ()) else None


def _unit(word: str) -> str:
    noun = singular_noun(word)
    return _ALIASES.get(noun, noun)
