"""The operations of a step that convert one unit into another, with their factor and its two units."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import Path, nodes
from harness.solution.trace import TraceEntry
from harness.text.nouns import singular_noun
from harness.text.units import singular_unit, sizes, sizes_in

DOZEN = "dozen"
MOST_CONFUSED = 3


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
    for path, node in nodes(source.expression(variable)):
        if not isinstance(node, ir.Binary) or node.operator not in {"*", "/"}:
            continue
        for side in (1,) if node.operator == "/" else (1, 0):
            leaf, other = (node.right, node.left) if side else (node.left, node.right)
            value = _given_value(source, leaf)
            if value is None:
                continue
            pair = _named_units(source.trace.by_name[leaf.name]) if isinstance(leaf, ir.Name) else None
            pair = pair or _units_between(source, "" if path else variable, node.operator, other, value)
            if pair is not None:
                converting.append(Conversion(path, node.operator, side, value, *pair))
                break
    return converting


def is_conversion_factor(entry: TraceEntry) -> bool:
    """Tell whether an input is a factor between two units by its name or comment: `minutes_per_hour`."""
    return entry.role.is_input and _named_units(entry) is not None


def confused_factors(conversion: Conversion) -> list[Exact]:
    """Return the factors between other units of the same dimension that are nearest to the right one, the nearest first."""
    others: set[Exact] = set()
    for dimension in sizes(conversion.large):
        units = sizes_in(dimension)
        quotients = {Fraction(large) / small for large in units for small in units if large > small}
        others |= {int(quotient) for quotient in quotients if quotient.denominator == 1}
    right = conversion.factor
    near = sorted(others - {right}, key=lambda other: (max(Fraction(other) / right, Fraction(right) / other), other))
    return near[:MOST_CONFUSED]


def _given_value(source: FlawSource, node: ir.Expr) -> Exact | None:
    match node:
        case ir.Const(int() as value) if not isinstance(value, bool):
            return value
        case ir.Name(name) if name in source.trace.by_name and source.trace.by_name[name].role.is_input:
            return source.values[name]
    return None


def _named_units(entry: TraceEntry) -> tuple[str, str] | None:
    """Return the smaller and the larger unit that the name or the comment of a factor has."""
    return _units_in(entry.variable.replace("_", " "), entry.value) or _units_in(entry.comment, entry.value)


@lru_cache(maxsize=4096)
def _units_in(words: str, value: Exact) -> tuple[str, str] | None:
    named = [singular_unit(word.strip(".,;:()=")) for word in words.lower().split()]
    if DOZEN in named and value == 12:
        return "item", DOZEN
    units = [word for word in named if sizes(word)]
    pairs = ((small, large) for small in units for large in units if value in _factors(small, large))
    return next(pairs, None)


@lru_cache(maxsize=4096)
def _factors(small: str, large: str) -> tuple[Exact, ...]:
    """Return how many of a smaller unit can make a larger one: 28, 30 or 31 days a month; none for units of different kinds."""
    shared = sizes(small).keys() & sizes(large).keys()
    quotients = {
        Fraction(whole) / part
        for dimension in shared
        for whole in sizes(large)[dimension]
        for part in sizes(small)[dimension]
    }
    return tuple(int(quotient) for quotient in quotients if quotient.denominator == 1 and quotient > 1)


def _units_between(
    source: FlawSource, result: str, operator: str, other: ir.Expr, value: Exact
) -> tuple[str, str] | None:
    """Return the units before and after the operation, where the value is the factor between them."""
    read = {source.units[name].noun for name in ir.names_in_order(other) if name in source.units}
    if not result or len(read) != 1:
        return None
    before, after = (singular_unit(singular_noun(noun)) for noun in (read.pop(), source.units[result].noun))
    pair = (after, before) if operator == "*" else (before, after)
    return pair if value in _factors(*pair) else None
