"""The operations of a step that convert one unit into another, with their factor and its two units."""

from collections.abc import Iterable
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


def conversions(source: FlawSource, variable: str) -> list[Conversion]:
    """Return the conversions of a step: by the name or comment of the factor, or by the units on either side of it."""
    converting = []
    for path, node in nodes(source.expression(variable)):
        if isinstance(node, ir.Binary) and node.operator in {"*", "/"}:
            for side in (1,) if node.operator == "/" else (1, 0):
                factor, other = (node.right, node.left) if side else (node.left, node.right)
                known = _factor_units(source, "" if path else variable, node.operator, factor, other)
                if known is not None:
                    value, small, large = known
                    converting.append(Conversion(path, node.operator, side, value, small, large))
                    break
    return converting


def is_conversion_factor(entry: TraceEntry) -> bool:
    """Tell whether an input is a factor between two units by its name or comment: `minutes_per_hour`."""
    return entry.role.is_input and _named_units(entry) is not None


def confused_factors(conversion: Conversion) -> list[Exact]:
    """Return the factors between other units of the same dimension that are nearest to the right one, the nearest first."""
    others: set[Exact] = set()
    for dimension in sizes(conversion.large):
        others.update(_whole_quotients(sizes_in(dimension), sizes_in(dimension)))
    right = conversion.factor
    near = sorted(others - {right}, key=lambda other: (max(Fraction(other) / right, Fraction(right) / other), other))
    return near[:MOST_CONFUSED]


def _factor_units(
    source: FlawSource, result: str, operator: str, factor: ir.Expr, other: ir.Expr
) -> tuple[Exact, str, str] | None:
    """Return a given factor with the smaller and the larger unit that it converts."""
    value: Exact
    pair = None
    match factor:
        case ir.Const(int() as number) if not isinstance(number, bool):
            value = number
        case ir.Name(name) if name in source.trace.by_name and source.trace.by_name[name].role.is_input:
            value, pair = source.values[name], _named_units(source.trace.by_name[name])
        case _:
            return None
    read = {source.units[name].noun for name in ir.names_in_order(other) if name in source.units}
    if pair is None and result and len(read) == 1:
        before, after = (singular_unit(singular_noun(noun)) for noun in (read.pop(), source.units[result].noun))
        between = (after, before) if operator == "*" else (before, after)
        pair = between if value in _factors(*between) else None
    return None if pair is None else (value, *pair)


def _named_units(entry: TraceEntry) -> tuple[str, str] | None:
    """Return the smaller and the larger unit that the name or the comment of a factor has."""
    return _units_in(entry.variable.replace("_", " "), entry.value) or _units_in(entry.comment, entry.value)


@lru_cache(maxsize=4096)
def _units_in(words: str, value: Exact) -> tuple[str, str] | None:
    named = [singular_unit(word.strip(".,;:()=")) for word in words.lower().split()]
    units = [word for word in named if sizes(word)]
    pairs = ((small, large) for small in units for large in units if value in _factors(small, large))
    return next(pairs, None)


@lru_cache(maxsize=4096)
def _factors(small: str, large: str) -> frozenset[Exact]:
    """Return how many of a smaller unit can make a larger one: 28, 30 or 31 days a month; none for units of different kinds."""
    shared = sizes(small).keys() & sizes(large).keys()
    factors = (_whole_quotients(sizes(large)[dimension], sizes(small)[dimension]) for dimension in shared)
    return frozenset[Exact]().union(*factors)


def _whole_quotients(wholes: Iterable[Exact], parts: Iterable[Exact]) -> set[Exact]:
    parts = list(parts)
    quotients = {Fraction(whole) / part for whole in wholes for part in parts}
    return {int(quotient) for quotient in quotients if quotient.denominator == 1 and quotient > 1}
