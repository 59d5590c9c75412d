"""Plausibility of confusing one quantity with another, by unit, name, line and size, and the words for such quantities."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from generators.flaws.mutation_operator import Reason
from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.syntax.unparser import unparse
from harness.text.lexicon import word_lists
from harness.text.names import variable_words
from harness.text.nouns import singular_noun
from harness.text.number_forms import format_value

_LISTS = word_lists(__file__)

OTHER_SIZE: Reason = ("another size", -0.3)
_WORD = re.compile(r"[A-Za-z]+")
_NAME = re.compile(r"[A-Za-z]\w*")
_FILLERS = _LISTS.words("fillers")
_UNKNOWN = Unit(Quantity.NUMBER)


def expression_in_words(expression: ir.Expr) -> str:
    """Return an expression with its variables in words."""
    return _NAME.sub(lambda match: variable_words(match[0]), unparse(expression))


@lru_cache(maxsize=8192)
def words_of(variable: str) -> frozenset[str]:
    """Return the words of a name that tell it from others, in the singular."""
    return frozenset(singular_noun(word) for word in _WORD.findall(variable.lower())) - _FILLERS


def units_clash(unit: Unit, other: Unit) -> bool:
    """Tell whether two quantities are known to be counted in different units."""
    return not unit.fits(other) and _UNKNOWN not in {unit, other}


def confusion_reasons(source: FlawSource, reader: str, was: str, now: str) -> list[Reason]:
    """Return the reasons for and against that a person who works out `reader` takes `now` for `was`."""
    reasons: list[Reason] = []
    old, new = source.units[was], source.units[now]
    if units_clash(old, new):
        reasons.append(("another unit", -0.4))
    elif old.noun and old.noun == new.noun:
        reasons.append(("same unit", 0.3))
    shared = words_of(was) & words_of(now)
    if shared:
        reasons.append(("named alike", 0.1 * min(3, len(shared))))
    lines = source.line_number(reader), source.line_number(now)
    if 0 not in lines and abs(lines[0] - lines[1]) <= 1:
        reasons.append(("nearby line", 0.1))
    return [*reasons, *size_reasons(source.values[was], source.values[now])]


def size_reasons(before: Exact, after: Exact) -> list[Reason]:
    """Return the reason that a value is, or is not, of the size of the right one; none in between and for zero."""
    if not before or not after:
        return []
    ratio = abs(Fraction(after) / before)
    if 1 <= 10 * ratio <= 100:
        return [("similar size", 0.1)]
    return [] if 1 <= 100 * ratio <= 10_000 else [OTHER_SIZE]


def value_reasons(before: Exact, after: Exact) -> list[Reason]:
    """Return the reasons that the size, the sign and the form of a wrong value give."""
    reasons = size_reasons(before, after)
    if after < 0 <= before:
        reasons.append(("negative", -0.5))
    if before.denominator == 1 != after.denominator:
        reasons.append(("no longer whole", -0.2))
    return reasons


def number_text(value: Exact) -> str:
    """Write a value as digits, or as a fraction where they do not end."""
    return str(value) if isinstance(value, int) else format_value(value)
