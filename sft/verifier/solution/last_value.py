"""The value that the last line of a solution states without a calculation, and whether anything before gives it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from harness.equations.derivation import linear_equations
from harness.equations.relation_signs import is_operator
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from sft.samples.items import UnreadLine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.verifier.case import Case

CONVERSIONS = (1, 2, 7, 12, 24, 60, 100, 1_000)
"""Factors by which a value may be told in another unit, as a share, a half or a dozen, without a calculation."""
MOST_NUMBERS = 60
LONGEST_READ = 4_000


def unbased_last_value(case: Case) -> UnreadLine | None:
    """Return the last line if its last number stands alone and no number before, in another unit or rounded, gives it; else `None`.

    `Total = $53` below a table whose sum is 50 is the result of nothing that was read.
    """
    statements = case.solution.statements
    if not statements or len(statements[-1].text) > LONGEST_READ:
        return None
    last = statements[-1]
    found = mentions(last.text)
    if last.equations or not found or any(map(is_operator, last.text)):
        return None
    stated = found[-1]
    unit = Fraction(1, 10 ** len(stated.text.strip("$€£ %.,").partition(".")[2]))
    bases = [*_values(case), *(Fraction(value) for mention in found[:-1] for value in mention.readings)]
    if any(_gives(base, Fraction(value), unit) for base in bases for value in stated.readings):
        return None
    reason = f"it states {format_value(stated.readings[0])}, which nothing before it gives"
    return UnreadLine(f"L{len(statements)}", reason, beyond=False)


def _values(case: Case) -> Iterator[Fraction]:
    """Yield the numbers of the question and of the lines before the last one, and what their equations give to an unknown."""
    statements = case.solution.statements[:-1]
    for text in (case.item.question, *(statement.text for statement in statements)):
        for mention in mentions(text[:LONGEST_READ])[:MOST_NUMBERS]:
            yield from map(Fraction, mention.readings)
    yield from (Fraction(result) for statement in statements for result in statement.results if result is not None)
    yield from (equation.root for equation in linear_equations([statement.text for statement in statements]))


def _gives(base: Fraction, value: Fraction, unit: Fraction) -> bool:
    """Tell whether a value is a base in another unit, or a base with more decimals that is rounded to a multiple of `unit`."""
    base, value = abs(base), abs(value)
    rounded = abs(value - base) < unit and (base / unit).denominator > 1
    return rounded or any(value in {base * factor, base / factor} for factor in CONVERSIONS)
