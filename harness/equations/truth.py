"""The truth of an equation in each sense that its author can mean: percentages, units or rounding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression, Truth
from harness.equations.grammar import apply
from harness.text.lexicon import english
from harness.text.numbers import whole_as_int
from harness.text.units import singular_unit, sizes, sizes_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.domain import Exact
    from harness.equations.equation import Expression

_LISTS = english("equations")

_ROUNDING = re.compile(
    rf"\b(?:{_LISTS.either('rounding')})|[≈≃≅~⌊⌈]|\\approx|can’t",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"%|percent", re.IGNORECASE)
_UNIT_WORDS = re.compile(r"[^\W\d_]+|\$")
# A float is printed with sixteen digits, the last of which can be wrong after a few operations.
FLOAT_PLACES = 10
FLOAT_ERROR = Fraction(1, 10**11)
MOST_CHOICES = 16
_GROUPED_BY_POINTS = re.compile(r"[^\d.]*(\d{1,3}(?:\.\d{3}){1,4})[^\d.]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class EquationContext:
    """The line around an equation."""

    text: str

    @property
    def announces_rounding(self) -> bool:
        """Tell whether the line has a word such as `about` or `nearest`."""
        return _ROUNDING.search(self.text) is not None

    @property
    def mentions_percent(self) -> bool:
        """Tell whether the line has a percentage."""
        return _PERCENT.search(self.text) is not None

    def grouped_by_points(self, number: Number) -> Exact | None:
        """Read `1.250` as 1,250, other numbers as they are."""
        grouped = _GROUPED_BY_POINTS.fullmatch(self.text, number.start, number.end)
        return number.value if grouped is None else int(grouped[1].replace(".", ""))

    @property
    def units(self) -> frozenset[str]:
        """Return the units in the line."""
        return frozenset(unit for word in _UNIT_WORDS.findall(self.text) if sizes(unit := singular_unit(word)))


def judge(left: Expression, right: Expression, context: EquationContext, *, announced: bool = False) -> Truth:
    """Return whether two sides are equal in any of the senses an author can mean.

    `announced`: the text around the right side says that it is rounded, besides what the line's words say.
    """
    if left.value is None or right.value is None:
        return Truth.UNKNOWN
    if left.value == right.value:
        return Truth.TRUE
    announced = announced or context.announces_rounding
    if any(first == second for first, second in _in_units(left, right, context)):
        return Truth.TRUE
    rounded = _rounded(right.value, left.value, left, announced=announced)
    for first, second in ((left.value, right.value), *_conventions(left, right, context)):
        if first == second:
            return Truth.TRUE
        rounded = rounded or (
            first is not None and second is not None and _rounded(first, second, right, announced=announced)
        )
    if rounded or _from_floats(left, right):
        return Truth.ROUNDED
    return Truth.UNKNOWN if _may_hold(left, right, context) else Truth.FALSE


def _may_hold(left: Expression, right: Expression, context: EquationContext) -> bool:
    """Tell whether a reading that is not the plain one, but that some authors mean, makes an equation true."""
    stated = right.value
    if left.value is None or stated is None:
        return True
    # `20% * 3 = 60` lacks a percent sign, or has one too many.
    if context.mentions_percent and (left.value == stated * 100 or left.value * 100 == stated):
        return True
    if any(number.percent and number.unit for number in numbers(left)):
        # `20% off`
        return True
    if evaluate(left, context.grouped_by_points) == evaluate(right, context.grouped_by_points):
        # `1.250 + 1 = 1.251`
        return True
    return (
        isinstance(left, Operation)
        and left.operator in "+-"
        and (
            _is_share_of(left, stated)
            or (is_span(left, context) and -left.value in {stated, stated - 1})
            or _lacks_units(left, right)
        )
    )


def _is_share_of(sum_: Operation, stated: Exact) -> bool:
    """Tell whether a sum may add a share of its amount: `50 - 10%`, or `60 + 1/2 = 90`."""
    amount, part = sum_.left, sum_.right
    if isinstance(part, Number) and part.percent:
        return not all(number.percent for number in numbers(amount))
    if amount.value is None or part.value is None or not 0 < part.value < 1:
        return False
    return stated == apply(sum_.operator, amount.value, amount.value * part.value)


def is_span(side: Expression, context: EquationContext) -> bool:
    """Tell whether a hyphen between two numbers may be that of a span: `pages 3-9`."""
    if not isinstance(side, Operation) or side.operator != "-":
        return False
    first, last = side.left, side.right
    if not isinstance(first, Number) or not isinstance(last, Number) or first.value is None or last.value is None:
        return False
    between = context.text[first.end : last.start]
    return first.value < last.value and between == between.strip()


def _lacks_units(left: Expression, right: Expression) -> bool:
    """Tell whether numbers without units may be in a smaller unit than their sum: `30 + 30 = 1 hour`, `$3 + 50 = $3.50`."""
    if not isinstance(right, Number) or right.value is None or not _adds(left):
        return False
    for dimension, (size, *_) in sizes(right.unit).items():
        for smaller in (other for other in sizes_in(dimension) if other < size):

            def read(number: Number, dimension: str = dimension, smaller: Exact = smaller) -> Exact | None:
                known = sizes(number.unit).get(dimension, (smaller,))[0]
                return None if number.value is None else Fraction(number.value) * known

            if evaluate(left, read) == Fraction(right.value) * size:
                return True
    return False


def _adds(expression: Expression) -> bool:
    if isinstance(expression, Operation):
        return expression.operator in "+-" and _adds(expression.left) and _adds(expression.right)
    return isinstance(expression, Number) or _adds(expression.inner)


def numbers(expression: Expression) -> Iterator[Number]:
    """Yield the numbers of an expression from left to right."""
    if isinstance(expression, Number):
        yield expression
    elif isinstance(expression, Operation):
        yield from numbers(expression.left)
        yield from numbers(expression.right)
    else:
        yield from numbers(expression.inner)


def evaluate(expression: Expression, read: Callable[[Number], Exact | None]) -> Exact | None:
    """Return the value with numbers read otherwise."""
    if isinstance(expression, Number):
        return read(expression)
    if isinstance(expression, ParenthesizedExpression):
        return evaluate(expression.inner, read)
    if isinstance(expression, Negative):
        value = evaluate(expression.inner, read)
        return None if value is None else -value
    return apply(expression.operator, evaluate(expression.left, read), evaluate(expression.right, read))


def _hundred(number: Number) -> Exact | None:
    """Read `100%` as 100: `3 / 4 * 100% = 75%`."""
    return 100 if number.percent and number.value == 1 else number.value


def _unscaled(number: Number) -> Exact | None:
    """Read `16 million` as 16."""
    return None if number.value is None else whole_as_int(Fraction(number.value) / number.scale)


def _raw(number: Number) -> Exact | None:
    """Read `25%` as 25."""
    return number.value * 100 if number.percent and number.value is not None else number.value


def _conventions(
    left: Expression, right: Expression, context: EquationContext
) -> Iterator[tuple[Exact | None, Exact | None]]:
    """Yield the values of the sides under further conventions for percentages and scale words."""
    leaves = [*numbers(left), *numbers(right)]
    if any(number.percent for number in leaves):
        yield left.value, evaluate(right, _raw)
        yield evaluate(left, _hundred), right.value
        yield evaluate(left, _hundred), evaluate(right, _raw)
    elif context.mentions_percent and left.value is not None:
        yield left.value * 100, right.value
    if any(number.scale > 1 for number in leaves):
        yield evaluate(left, _unscaled), evaluate(right, _unscaled)
        yield left.value, evaluate(right, _unscaled)
        yield evaluate(left, _unscaled), right.value


def _in_units(
    left: Expression, right: Expression, context: EquationContext
) -> Iterator[tuple[Exact | None, Exact | None]]:
    """Yield the sides in one unit, where the line has several of a dimension: `90 minutes = 1.5 hours`."""
    lefts, rights = _units_of(left), _units_of(right)
    if not lefts and not rights:
        return
    mentioned = lefts | rights | context.units
    for dimension in sorted({name for unit in lefts | rights for name in sizes(unit)}):
        known = sorted(unit for unit in mentioned if dimension in sizes(unit))
        if dimension == "count":
            known = sorted({*known, "piece"})
        if len(known) > 1:
            for choice in islice(product(*(sizes(unit)[dimension] for unit in known)), MOST_CHOICES):
                yield from _scaled(left, right, dict(zip(known, choice, strict=True)))


def _units_of(side: Expression) -> set[str]:
    return {number.unit for number in numbers(side) if sizes(number.unit)}


def _scaled(
    left: Expression, right: Expression, scale: dict[str, Exact]
) -> Iterator[tuple[Exact | None, Exact | None]]:
    """Yield the sides with each number in its unit, with each side in one unit, and with rates in one unit of theirs.

    A side without units of the dimension can be in any unit that the line mentions.
    """
    total, stated = _each_in(left, scale, 1), _each_in(right, scale, 1)
    if total is None or stated is None or left.value is None or right.value is None:
        return
    lefts, rights = _units_of(left) & scale.keys(), _units_of(right) & scale.keys()
    yield total, stated
    for left_unit, right_unit in product(lefts or scale, rights or scale):
        yield left.value * scale[left_unit], right.value * scale[right_unit]
        if not rights:
            yield total, right.value * scale[right_unit]
        if not lefts:
            yield left.value * scale[left_unit], stated
    for target in scale.values():
        yield _each_in(left, scale, target), right.value


def _each_in(side: Expression, scale: dict[str, Exact], target: Exact) -> Exact | None:
    """Return the value of a side with each number of the dimension in a unit of the size `target`."""

    def read(number: Number) -> Exact | None:
        if number.value is None or number.unit not in scale:
            return number.value
        return Fraction(number.value) * scale[number.unit] / target

    return evaluate(side, read)


def _rounded(exact: Exact, value: Exact, stated: Expression, *, announced: bool) -> bool:
    """Tell whether a number, taken as `value`, is another rounded or cut off at the places it is written with."""
    while isinstance(stated, Negative | ParenthesizedExpression):
        stated = stated.inner
    if not isinstance(stated, Number) or not stated.value or not value:
        return False
    places = stated.places + 2 * stated.percent
    if not (places or stated.scale > 1 or announced):
        return False
    step = abs(Fraction(value) / Fraction(stated.value)) * Fraction(stated.scale, 10**places)
    error = abs(Fraction(exact) - value)
    if places >= FLOAT_PLACES:
        step = max(step, FLOAT_ERROR * max(Fraction(1), abs(Fraction(exact))))
    if places or stated.scale > 1:
        return error * 2 <= step or (error < step and abs(Fraction(value)) < abs(Fraction(exact)))
    while (Fraction(value) / (step * 10)).denominator == 1 and step * 100 <= abs(Fraction(exact)):
        step *= 10
    return error * 2 <= step or error < 1


def _from_floats(left: Expression, right: Expression) -> bool:
    """Tell whether the sides differ by the error of a calculation in floating point: `80 / 26.666666666666668 = 3`."""
    if not any(number.places >= FLOAT_PLACES for number in (*numbers(left), *numbers(right))):
        return False
    if left.value is None or right.value is None:
        return False
    size = max(abs(Fraction(left.value)), abs(Fraction(right.value)), Fraction(1))
    return abs(Fraction(left.value) - Fraction(right.value)) <= FLOAT_ERROR * size
