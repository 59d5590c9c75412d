"""Plausibility of taking one quantity for another, by unit, name, line and size, and the words for such quantities."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator
from harness.program.refusal import ProgramError, Refusal
from harness.program.syntax.unparser import unparse
from harness.text.lexicon import word_lists
from harness.text.names import variable_words
from harness.text.noun_forms import singular_noun
from harness.text.number_forms import format_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generators.flaws.mutation_operator import Mutant
    from generators.flaws.solution.source_solution import FlawSource
    from harness.domain import Exact

_LISTS = word_lists(__file__)

MOST_MUTANTS = 40
Reason = tuple[str, float]
OTHER_SIZE: Reason = ("another size", -0.3)
_WORD = re.compile(r"[A-Za-z]+")
_NAME = re.compile(r"[A-Za-z]\w*")
_FILLERS = _LISTS.words("fillers")
_UNKNOWN = Unit(Quantity.NUMBER)
_EMPTY = ir.Program("expression", "", (), {}, (), None)


def most_plausible(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return the likeliest mutants first, at most forty; equally likely ones stay in order."""
    return sorted(mutants, key=_unlikeliness)[:MOST_MUTANTS]


def weight_of(reasons: Iterable[Reason]) -> float:
    """Return the sum of the weights, rounded so that their order does not matter."""
    return round(sum(weight for _, weight in reasons), 6)


def _unlikeliness(mutant: Mutant) -> float:
    return -weight_of(mutant.reasons)


def expression_in_words(expression: ir.Expr) -> str:
    """Return an expression with its variables in words."""
    return _NAME.sub(_spoken_match, unparse(expression))


def _spoken_match(match: re.Match[str]) -> str:
    return variable_words(match[0])


@lru_cache(maxsize=8192)
def words_of(variable: str) -> frozenset[str]:
    """Return the words of a name that tell it from others, in the singular."""
    return frozenset(singular_noun(word) for word in _WORD.findall(variable.lower())) - _FILLERS


def value_of(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact | None:
    """Return the value of an expression, `None` where it has none that is a number."""
    if isinstance(expression, ir.Name):
        return values.get(expression.name)
    try:
        value = Evaluator(_EMPTY, ()).value(expression, dict(values))
    except (Refusal, ProgramError):
        return None
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None


def line_of(source: FlawSource, variable: str) -> int | None:
    """Return the number of the line under which a variable stands, `None` for one that stands under none."""
    label = source.trace.by_name[variable].line or ""
    return int(label[1:]) if label[1:].isdecimal() else None


def units_clash(one: Unit, other: Unit) -> bool:
    """Tell whether two quantities are known to be counted in different units."""
    return not one.fits(other) and _UNKNOWN not in {one, other}


def confusion_reasons(source: FlawSource, reader: str, was: str, now: str) -> list[Reason]:
    """Say what makes a person working out `reader` take `now` for `was`, and what speaks against it."""
    reasons: list[Reason] = []
    old, new = source.units[was], source.units[now]
    if units_clash(old, new):
        reasons.append(("another unit", -0.4))
    elif old.noun and old.noun == new.noun:
        reasons.append(("same unit", 0.3))
    shared = words_of(was) & words_of(now)
    if shared:
        reasons.append(("named alike", 0.1 * min(3, len(shared))))
    lines = line_of(source, reader), line_of(source, now)
    if None not in lines and abs((lines[0] or 0) - (lines[1] or 0)) <= 1:
        reasons.append(("nearby line", 0.1))
    return [*reasons, *size_reasons(source.values[was], source.values[now])]


def size_reasons(before: Exact, after: Exact) -> list[Reason]:
    """Say whether a value is of the size that one expects there."""
    if not before or not after:
        return []
    one = before if before > 0 else -before
    other = after if after > 0 else -after
    if one <= 10 * other and other <= 10 * one:
        return [("similar size", 0.1)]
    return [] if one <= 100 * other and other <= 100 * one else [OTHER_SIZE]


def number_text(value: Exact) -> str:
    """Write a value as digits, or as a fraction where they do not end."""
    return str(value) if isinstance(value, int) else format_value(value)
