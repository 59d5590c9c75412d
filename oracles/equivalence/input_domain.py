"""The domain of an input: the values that it may take, from its type, its sign and its role in the problem."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program.evaluation.evaluator import format_exact

if TYPE_CHECKING:
    from harness.domain import Parameter

_SHARE = re.compile(
    r"\b(percent|percentage|fraction|share|portion|probability|proportion|half|third|quarter|fifth|tenth)s?\b|%",
    re.IGNORECASE,
)

Bound = tuple[Fraction | None, bool]


@dataclass(frozen=True, slots=True)
class InputDomain:
    """The integers or rationals between two bounds; `open_low` excludes the lower, `open_high` the upper bound."""

    integral: bool
    low: Fraction | None
    high: Fraction | None
    open_low: bool = False
    open_high: bool = False

    def __contains__(self, value: int | Fraction) -> bool:
        """Tell whether the input may take the value."""
        if self.integral and value.denominator != 1:
            return False
        if self.low is not None and (value <= self.low if self.open_low else value < self.low):
            return False
        return not (self.high is not None and (value >= self.high if self.open_high else value > self.high))

    @property
    def positive(self) -> bool:
        """Tell whether every value is greater than zero."""
        return self.low is not None and (self.low > 0 or (self.low == 0 and self.open_low))

    def __str__(self) -> str:
        """Describe the domain as `integers >= 1` or `rationals > 0, <= 1`."""
        bounds = []
        if self.low is not None:
            bounds.append(f"{'>' if self.open_low else '>='} {format_exact(self.low)}")
        if self.high is not None:
            bounds.append(f"{'<' if self.open_high else '<='} {format_exact(self.high)}")
        return " ".join([("integers" if self.integral else "rationals"), ", ".join(bounds)]).strip()

    def joined(self, other: InputDomain) -> InputDomain:
        """Return the smallest domain that holds both; what is proved on it holds on either."""
        low, open_low = _outer((self.low, self.open_low), (other.low, other.open_low), least=True)
        high, open_high = _outer((self.high, self.open_high), (other.high, other.open_high), least=False)
        return InputDomain(self.integral and other.integral, low, high, open_low, open_high)


def _outer(left: Bound, right: Bound, *, least: bool) -> Bound:
    """Return the wider of two bounds, each a value with whether it is excluded; no value is no bound."""
    if left[0] is None or right[0] is None:
        return None, False
    if left[0] == right[0]:
        return left[0], left[1] and right[1]
    return left if (left[0] < right[0]) is least else right


def domain_of(parameter: Parameter) -> InputDomain:
    """Return the values a parameter may take: its role keeps sign, integrality and range.

    An input stated as a positive number stays positive, a zero stays non-negative, a negative number stays negative.
    `int` inputs range over integers. A share (a positive number up to 1 that the words call a fraction or percentage)
    stays at most 1, a percentage written as a whole number up to 100 stays at most 100.
    """
    integral = parameter.type == "int"
    value = Fraction(parameter.value)
    if value < 0:
        return InputDomain(integral, None, Fraction(-1 if integral else 0), open_high=not integral)
    if value == 0:
        return InputDomain(integral, Fraction(0), None)
    high: Fraction | None = None
    if _SHARE.search(parameter.text):
        if value <= 1 and not integral:
            high = Fraction(1)
        elif value <= 100 and re.search(r"percent|%", parameter.text, re.IGNORECASE):
            high = Fraction(100)
    return InputDomain(integral, Fraction(1 if integral else 0), high, open_low=not integral)
