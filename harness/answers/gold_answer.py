"""Exact values of gold answers, and the comparison of computed values with them."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from harness.text.quantity import Quantity, read_quantity

LARGEST_SHOWN_AS_DECIMAL = 10**15


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """An exact gold answer, and the solution that gives it."""

    quantity: Quantity
    solution: str

    @property
    def value(self) -> Fraction:
        """Return its value, of `25%` 25."""
        return self.quantity.value

    @property
    def rounded(self) -> bool:
        """Tell whether the gold itself is a rounded number: it has decimals, or the solution rounds on its way."""
        return self.quantity.places > 0 or _solution_rounds(self.solution)


@dataclass(frozen=True, slots=True)
class GoldMatch:
    """The result of a comparison with the gold answer, `None` where only a unit tells them apart, and the reading that decided it."""

    reached: bool | None
    method: str
    reason: str | None = None


# A problem's answers are read for each of its formalizations and flawed solutions.
@lru_cache(maxsize=1_024)
def read_gold(text: str, solution: str = "") -> GoldAnswer | None:
    """Read `1,250`, `$18.50`, `25%`, `3/4`, `1 1/2`, `-5` or `72 apples`, as `read_quantity` does: whole or not at all.

    An amount in several units is no number of its solution, and compared by `equal_answers` alone.
    """
    quantity = read_quantity(text)
    return None if quantity is None or quantity.summed else GoldAnswer(quantity, solution)


def match_gold(value: int | Fraction, gold: GoldAnswer) -> GoldMatch:
    """Return whether a computed value is the gold answer, and by which reading; only a rounded gold answer allows a tolerance."""
    exact, places = Fraction(value), gold.quantity.places
    if exact == gold.value:
        return GoldMatch(reached=True, method="exact")
    readings = [exact, exact * 100] if gold.quantity.percent else [exact]
    if gold.value in readings:
        return GoldMatch(reached=True, method="percent", reason=f"{_show(exact)} is {_show(gold.value)}%")
    if gold.rounded:
        for reading in readings:
            if gold.value in _roundings(reading, places):
                reason = f"gold {_show(gold.value, places)} is {_show(reading)} rounded to {places} places"
                return GoldMatch(reached=True, method="rounded", reason=reason)
    reason = f"gives {_show(exact)}, gold is {_show(gold.value, places)}"
    if gold.quantity.is_also(exact):
        return GoldMatch(reached=None, method="unit", reason=f"{reason} in a unit that may be another")
    return GoldMatch(reached=False, method="exact", reason=reason)


def _roundings(value: Fraction, places: int) -> set[Fraction]:
    """Return the value rounded half up and half to even: both are in use for answers."""
    scale = 10**places
    half_up = Fraction(math.floor(abs(value) * scale + Fraction(1, 2)), scale)
    return {half_up if value >= 0 else -half_up, Fraction(round(value * scale), scale)}


def _show(value: Fraction, places: int = 0) -> str:
    if value.denominator == 1 or abs(value) >= LARGEST_SHOWN_AS_DECIMAL:
        return str(round(value))
    return (
        f"{float(value):.{places}f}" if places else str(value) if value.denominator < 10_000 else f"{float(value):.6g}"
    )


def _solution_rounds(solution: str) -> bool:
    """Tell whether an annotation `<<a/b=c>>` states a rounded result as equal."""
    if "<<" not in solution:
        return False
    from harness.equations.line_reader import read_line  # its grammar is only needed here

    for equation in (equation for line in solution.split("\n") for equation in read_line(line).equations):
        computed, stated = equation.left.value, equation.right.value
        if equation.annotation and computed is not None and stated is not None and computed != stated:
            places = getattr(equation.right, "places", 0)
            if stated in _roundings(Fraction(computed), places):
                return True
    return False
