"""The digits of written numbers, the columns of written arithmetic, and the values of changed digits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from generators.flaws.slip import ComputedResult
from harness.domain import Exact
from harness.text.number_forms import NumberKind
from harness.text.numbers import whole_as_int

MOST_VALUES = 6
MOST_PLACES = 6
_LARGEST = 10**15
_NUMERAL = re.compile(r"-?\$?([\d,]*)(?:\.(\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Digits:
    """The digits of a written number, read as one whole number, of which the last `places` are decimals.

    `scale` is 100 where hundredths were written (`25%`), negative where the number has a minus sign.
    """

    number: int
    places: int = 0
    scale: int = 1

    def say(self, number: int, places: int | None = None) -> Exact:
        """Return the value of other digits in this place."""
        return whole_as_int(Fraction(number, 10 ** (self.places if places is None else places) * self.scale))

    @property
    def whole(self) -> int | None:
        """Return the number without decimals, `None` if it has some other than zeros."""
        whole, decimals = divmod(self.number, 10**self.places)
        return None if decimals else whole


def digits_of(computed: ComputedResult) -> Digits | None:
    """Return the digits of a result as it is written, words counted as the digits they stand for; `None` for fractions."""
    form, value = computed.form, computed.value
    sign = -1 if value < 0 else 1
    if form.kind is NumberKind.NUMERAL:
        text = form.write(value)
        match = None if text is None else _NUMERAL.match(text)
        if match is None:
            return None
        decimals = match[2] or ""
        return Digits(int(f"{match[1].replace(',', '')}{decimals}"), len(decimals), sign * form.scale)
    scaled = Fraction(value) * form.scale
    if form.kind is NumberKind.FRACTION or scaled.denominator != 1:
        return None
    return Digits(abs(scaled.numerator), 0, sign * form.scale)


def likeliest_values(computed: ComputedResult, values: Iterable[Exact]) -> Iterator[Exact]:
    """Yield the first few values that the place can say exactly, none twice, none that reads as the right one does."""
    form = computed.form
    seen = {form.write(computed.value)}
    for value in values:
        text = form.write(value)
        if text is None or text in seen or (form.rounded and not _said_exactly(computed, value)):
            continue
        seen.add(text)
        yield whole_as_int(value)
        if len(seen) > MOST_VALUES:
            return


def _said_exactly(computed: ComputedResult, value: Exact) -> bool:
    return (Fraction(value) * computed.form.scale * int(10**computed.form.places)).denominator == 1


def exceeds_whole(computed: ComputedResult, wrong: Exact) -> bool:
    """Tell whether a value is no less than the quantity that it is a part of: a rest, a quotient, a share."""
    if not computed.operands or min(computed.operands) < 0:
        return False
    left, right = computed.operands
    match computed.operator:
        case "-":
            return wrong >= left
        case "/":
            return right > 1 and wrong >= left
        case "*":
            return (0 < left < 1 and wrong >= right) or (0 < right < 1 and wrong >= left)
    return False


def is_plausible_value(computed: ComputedResult, wrong: Exact) -> bool:
    """Tell whether a value is not obviously wrong: no part exceeds its whole, no sum or multiple is below a part."""
    if exceeds_whole(computed, wrong):
        return False
    counted = computed.operator == "+" or (computed.operator == "*" and min(computed.operands) >= 1)
    return not counted or min(computed.operands) < 0 or wrong > max(computed.operands)


def trailing_zeros(number: int) -> int:
    """Return how many zeros a whole number ends in, none for zero itself."""
    count = 0
    while number and number % 10 == 0:
        number //= 10
        count += 1
    return count


def is_round(value: Exact) -> bool:
    """Tell whether a value is a whole multiple of ten."""
    return value != 0 and value.denominator == 1 and value % 10 == 0


def is_power_of_ten(value: Exact) -> bool:
    """Tell whether multiplying by a value, or dividing by it, only moves the point: 1, 10, 0.01."""
    longer = max(value.numerator, value.denominator)
    return value > 0 and 1 in {value.numerator, value.denominator} and longer // 10 ** trailing_zeros(longer) == 1


@dataclass(frozen=True, slots=True)
class Columns:
    """Two operands of written arithmetic as whole numbers, one below the other, and by what their result is divided."""

    left: int
    right: int
    divisor: int


def columns_of(computed: ComputedResult) -> Columns | None:
    """Return the operands as a person lines them up by hand; `None` where people do not, or it does not give the value.

    Sums and differences are lined up at the point, products at the last digit, the longer number on top.
    """
    if computed.operator not in {"+", "-", "*"} or len(computed.operands) != 2:
        return None
    left, right = computed.operands
    places, others = _places(left), _places(right)
    if left < 0 or right < 0 or max(left, right) > _LARGEST or places is None or others is None:
        return None
    if computed.operator == "*":
        top, below = int(left * 10**places), int(right * 10**others)
        columns = Columns(max(top, below), min(top, below), 10 ** (places + others))
        result = top * below
    else:
        unit = 10 ** max(places, others)
        columns = Columns(int(left * unit), int(right * unit), unit)
        result = columns.left + columns.right if computed.operator == "+" else columns.left - columns.right
    return columns if result == computed.value * columns.divisor else None


def _places(value: Exact) -> int | None:
    """Return the number of decimals of a value, `None` if they are too many to line up by hand."""
    return next((places for places in range(MOST_PLACES + 1) if 10**places % value.denominator == 0), None)
