"""The truth of an equation in each sense that its author can mean: percentages, units or rounding."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import chain, islice, product
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


def judge(left: Expression, right: Expression, line: str, *, announced: bool = False) -> Truth:
    """Return whether two sides are equal in any of the senses an author can mean.

    `announced`: the text around the right side says that it is rounded, besides what the words of its line say.
    """
    if left.value is None or right.value is None:
        return Truth.UNKNOWN
    if left.value == right.value:
        return Truth.TRUE
    senses = list(_conventions(left, right, line))
    if any(first == second for first, second in chain(_in_units(left, right, line), senses)):
        return Truth.TRUE
    announced = announced or _ROUNDING.search(line) is not None
    stated = [(first, second) for first, second in senses if first is not None and second is not None]
    if (
        _rounded(right.value, left.value, left, announced=announced)
        or any(_rounded(first, second, right, announced=announced) for first, second in stated)
        or _from_floats(left, right)
    ):
        return Truth.ROUNDED
    return Truth.UNKNOWN if _may_hold(left, right, line) else Truth.FALSE


def _may_hold(left: Expression, right: Expression, line: str) -> bool:
    """Tell whether a reading that is not the plain one, but that some authors mean, makes an equation true."""
    stated = right.value
    if left.value is None or stated is None:
        return True
    # `20% * 3 = 60` lacks a percent sign, or has one too many.
    if _PERCENT.search(line) and (left.value == stated * 100 or left.value * 100 == stated):
        return True
    if any(number.percent and number.unit for number in numbers(left)):
        # `20% off`
        return True

    def grouped_by_points(number: Number) -> Exact | None:
        grouped = _GROUPED_BY_POINTS.fullmatch(line, number.start, number.end)
        return number.value if grouped is None else int(grouped[1].replace(".", ""))

    if evaluate(left, grouped_by_points) == evaluate(right, grouped_by_points):
        # `1.250 + 1 = 1.251`
        return True
    if _divides(left) and _is_whole(right) and abs(Fraction(left.value) - stated) < 1:
        # `100/3 = 33` is a quotient in whole numbers.
        return Fraction(left.value).denominator > 1
    return (
        isinstance(left, Operation)
        and left.operator in "+-"
        and (
            _is_share_of(left, stated)
            or (is_span(left, line) and -left.value in {stated, stated - 1})
            or _lacks_units(left, right)
        )
    )


def _is_whole(side: Expression) -> bool:
    return isinstance(side, Number) and not side.places and Fraction(side.value or 0).denominator == 1


def _divides(side: Expression) -> bool:
    """Tell whether a side is a product with a quotient in it, of whole numbers."""
    while isinstance(side, ParenthesizedExpression):
        side = side.inner
    if isinstance(side, Operation):
        return side.operator in "*/" and (side.operator == "/" or _divides(side.left) or _divides(side.right))
    return False


def _is_share_of(sum_: Operation, stated: Exact) -> bool:
    """Tell whether a sum may add a share of its amount: `50 - 10%`, or `60 + 1/2 = 90`."""
    amount, part = sum_.left, sum_.right
    if isinstance(part, Number) and part.percent:
        return not all(number.percent for number in numbers(amount))
    if amount.value is None or part.value is None or not 0 < part.value < 1:
        return False
    return stated == apply(sum_.operator, amount.value, amount.value * part.value)


def is_span(side: Expression, line: str) -> bool:
    """Tell whether a hyphen between two numbers may be that of a span: `pages 3-9`."""
    if not isinstance(side, Operation) or side.operator != "-":
        return False
    first, last = side.left, side.right
    if not isinstance(first, Number) or not isinstance(last, Number) or first.value is None or last.value is None:
        return False
    between = line[first.end : last.start]
    return first.value < last.value and between == between.strip()


def _lacks_units(left: Expression, right: Expression) -> bool:
    """Tell whether numbers without units may be in a smaller unit than their sum: `30 + 30 = 1 hour`, `$3 + 50 = $3.50`."""
    if not isinstance(right, Number) or right.value is None or not _adds(left):
        return False
    for dimension, (size, *_) in sizes(right.unit).items():
        known = {unit: sizes(unit)[dimension][0] for unit in _units_of(left) if dimension in sizes(unit)}
        for smaller in (other for other in sizes_in(dimension) if other < size):
            if _each_in(left, known, 1, other=smaller) == Fraction(right.value) * size:
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


def _conventions(left: Expression, right: Expression, line: str) -> Iterator[tuple[Exact | None, Exact | None]]:
    """Yield the values of the sides as they stand, and under further conventions for percentages and scale words."""
    yield left.value, right.value
    leaves = [*numbers(left), *numbers(right)]
    readings = []
    if any(number.percent for number in leaves):
        readings.append((_hundred, _raw))
    elif left.value is not None and _PERCENT.search(line):
        yield left.value * 100, right.value
    if any(number.scale > 1 for number in leaves):
        readings.append((_unscaled, _unscaled))
    for first, second in readings:
        yield from product((left.value, evaluate(left, first)), (right.value, evaluate(right, second)))


def _in_units(left: Expression, right: Expression, line: str) -> Iterator[tuple[Exact | None, Exact | None]]:
    """Yield the sides in one unit, where the line has several of a dimension: `90 minutes = 1.5 hours`."""
    stated = _units_of(left) | _units_of(right)
    if not stated:
        return
    mentioned = stated | {unit for word in _UNIT_WORDS.findall(line) if sizes(unit := singular_unit(word))}
    for dimension in sorted({name for unit in stated for name in sizes(unit)}):
        known = {unit for unit in mentioned if dimension in sizes(unit)} | (
            {"piece"} if dimension == "count" else set()
        )
        if len(known) > 1:
            for choice in islice(product(*(sizes(unit)[dimension] for unit in sorted(known))), MOST_CHOICES):
                yield from _scaled(left, right, dict(zip(sorted(known), choice, strict=True)))


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


def _each_in(side: Expression, scale: dict[str, Exact], target: Exact, other: Exact | None = None) -> Exact | None:
    """Return the value of a side in units of the size `target`; numbers without a unit of `scale` are in `other`, or `target`."""
    return evaluate(
        side,
        lambda number: (
            None
            if number.value is None
            else Fraction(number.value) * scale.get(number.unit, target if other is None else other) / target
        ),
    )


def value_in_unit(left: Expression, right: Number) -> Exact | None:
    """Return the value of a side in the unit of the number on the other side, `None` where a unit has several sizes."""
    for dimension, (size, *others) in sizes(right.unit).items():
        known = {unit: sizes(unit)[dimension] for unit in _units_of(left) if dimension in sizes(unit)}
        if known.keys() - {right.unit}:
            several = others or any(len(each) > 1 for each in known.values())
            return None if several else _each_in(left, {unit: each[0] for unit, each in known.items()}, size)
    return left.value


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
    if left.value is None or right.value is None:
        return False
    size = max(abs(Fraction(left.value)), abs(Fraction(right.value)), Fraction(1))
    near = abs(Fraction(left.value) - Fraction(right.value)) <= FLOAT_ERROR * size
    return near and any(number.places >= FLOAT_PLACES for number in (*numbers(left), *numbers(right)))
