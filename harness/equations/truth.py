"""The truth of an equation in each sense that its author can mean: percentages, units or rounding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression, Truth
from harness.equations.grammar import apply
from harness.text.lexicon import word_lists
from harness.text.numbers import SCALES, whole_as_int
from harness.text.units import TIMES, singular_unit, sizes, sizes_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.domain import Exact
    from harness.equations.equation import Expression

_LISTS = word_lists(__file__)

_ROUNDING = re.compile(
    rf"\b(?:{_LISTS.either('rounding')})|[≈≃≅~⌊⌈]|\\approx|can’t",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"%|percent", re.IGNORECASE)
_SCALE_WORDS = re.compile(r"\b(?:thousand|million|billion)(?=s?\b)")
_UNIT_WORDS = re.compile(r"[^\W\d_]+|\$")
# A float is printed with sixteen digits, the last of which can be wrong after a few operations.
FLOAT_PLACES = 10
FLOAT_ERROR = Fraction(1, 10**11)
MOST_ROUNDED = 3
MOST_CHOICES = 16
_CHANGES = {"off": -1, "discount": -1, "decrease": -1, "increase": 1, "tax": 1, "tip": 1}
_CLOCK = 12
_YEARS = (1_000, 2_100)
_SPANS = frozenset({*TIMES, "hr", "page", "chapter"})
_DENOMINATORS = (3, 6, 7, 9, 11, 12, 13)


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

    @property
    def scales(self) -> list[int]:
        """Return the factors of the words such as `thousand` in the line."""
        return [SCALES[word] for word in _SCALE_WORDS.findall(self.text.lower())]

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
    if rounded or _from_rounded(left, right) or _from_rounded(right, left) or _from_floats(left, right):
        return Truth.ROUNDED
    unknown = (
        _hundredfold(left, right, context)
        or _corresponds(left, right)
        or _corresponds(right, left)
        or _from_to(left, right)
        or _in_unnamed_unit(left, right)
        or _lists(left, right)
    )
    return Truth.UNKNOWN if unknown else Truth.FALSE


def numbers(expression: Expression) -> Iterator[Number]:
    """Yield the numbers of an expression from left to right."""
    if isinstance(expression, Number):
        yield expression
    elif isinstance(expression, Operation):
        yield from numbers(expression.left)
        yield from numbers(expression.right)
    else:
        yield from numbers(expression.inner)


def evaluate(expression: Expression, read: Callable[[Number], Exact | None], *, relative: bool = False) -> Exact | None:
    """Return the value with numbers read otherwise; `relative` takes `50 - 10%` as 50 less a tenth of it."""
    if isinstance(expression, Number):
        return read(expression)
    if isinstance(expression, ParenthesizedExpression):
        return evaluate(expression.inner, read, relative=relative)
    if isinstance(expression, Negative):
        value = evaluate(expression.inner, read, relative=relative)
        return None if value is None else -value
    left = evaluate(expression.left, read, relative=relative)
    right = evaluate(expression.right, read, relative=relative)
    if relative and expression.operator in {"+", "-"} and left is not None and right is not None:
        part = expression.right
        if isinstance(part, Number) and part.percent:
            right = left * right
    return apply(expression.operator, left, right)


def _plain(number: Number) -> Exact | None:
    return number.value


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
        yield evaluate(left, _plain, relative=True), right.value
        yield left.value, evaluate(right, _plain, relative=True)
        yield left.value, evaluate(right, _raw)
        if any(number.unit in _CHANGES for number in leaves):
            yield evaluate(left, _changed), right.value
        yield evaluate(left, _hundred), right.value
        yield evaluate(left, _hundred), evaluate(right, _raw)
        if _additive(left):
            yield evaluate(left, _raw), right.value
            yield evaluate(left, _raw), evaluate(right, _raw)
    elif context.mentions_percent and left.value is not None:
        yield left.value * 100, right.value
    if any(number.scale > 1 for number in leaves):
        yield evaluate(left, _unscaled), evaluate(right, _unscaled)
        yield left.value, evaluate(right, _unscaled)
        yield evaluate(left, _unscaled), right.value
    elif left.value is not None:
        for scale in context.scales:
            yield left.value * scale, right.value


def _changed(number: Number) -> Exact | None:
    """Read `20% off` as the rest, `8% tax` as the whole with it: `$50 @ 20% off = $40`."""
    sign = _CHANGES.get(number.unit) if number.percent else None
    return number.value if sign is None or number.value is None else 1 + sign * number.value


def _additive(expression: Expression) -> bool:
    """Tell whether percentages are only added, subtracted or divided: `100% - 20%`."""
    if isinstance(expression, Operation):
        return expression.operator in "+-/" and _additive(expression.left) and _additive(expression.right)
    return True if isinstance(expression, Number) else _additive(expression.inner)


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


def _from_rounded(left: Expression, right: Expression) -> bool:
    """Tell whether the left side is right except for operands that are rounded fractions.

    In `33.33 * 3 = 100` the first number means a third of a hundred.
    """
    doubtful = [number for number in numbers(left) if number.places >= 2 and number.value is not None]
    if not 0 < len(doubtful) <= MOST_ROUNDED or right.value is None or left.value is None:
        return False
    stated = next(numbers(right))
    # A result with as many digits as the calculation has was not meant to be another one.
    rounder = _decimals(Fraction(left.value)) > stated.places + 2 * stated.percent
    for choice in product(*(_meant(number) for number in doubtful)):
        value = evaluate(left, _choosing(doubtful, choice))
        if value is None:
            continue
        if value == right.value or (rounder and _rounded(value, right.value, right, announced=False)):
            return True
    return False


def _from_floats(left: Expression, right: Expression) -> bool:
    """Tell whether the sides differ by the error of a calculation in floating point: `80 / 26.666666666666668 = 3`."""
    if not any(number.places >= FLOAT_PLACES for number in (*numbers(left), *numbers(right))):
        return False
    if left.value is None or right.value is None:
        return False
    size = max(abs(Fraction(left.value)), abs(Fraction(right.value)), Fraction(1))
    return abs(Fraction(left.value) - Fraction(right.value)) <= FLOAT_ERROR * size


def _corresponds(amount: Expression, share: Expression) -> bool:
    """Tell whether an amount is said to be so many per cent of something: `48 = 100% + 20%`."""
    return isinstance(amount, Number) and not amount.percent and all(number.percent for number in numbers(share))


def _from_to(left: Expression, right: Expression) -> bool:
    """Tell whether a difference is the length of a span: `9 - 5 = 8 hours`, `1990 - 2000 = 10 years`, `pages 3-9 = 7`; or `5 - 8 = (3)` is a loss."""
    if isinstance(right, ParenthesizedExpression) and isinstance(right.inner, Number):
        return left.value is not None and right.value == -left.value
    if not isinstance(left, Operation) or left.operator != "-" or not isinstance(right, Number):
        return False
    start, end = left.left, left.right
    if not (isinstance(start, Number) and isinstance(end, Number)) or start.value is None or end.value is None:
        return False
    length = end.value - start.value
    years = min(start.value, end.value) >= _YEARS[0] and max(start.value, end.value) <= _YEARS[1]
    if length > 0:
        return (years or right.unit in _SPANS) and right.value in {length, length + 1}
    hours = right.unit in {"hour", "hr"} and start.value <= _CLOCK
    return hours and right.value in {length + _CLOCK, length + 2 * _CLOCK}


def _in_unnamed_unit(left: Expression, right: Expression) -> bool:
    """Tell whether a sum without units holds in a smaller unit than its result: `500 + 500 = 1 kg`."""
    if not isinstance(right, Number) or not right.value or left.value is None or any(n.unit for n in numbers(left)):
        return False
    ratio = Fraction(left.value) / right.value
    return any(
        ratio == Fraction(own) / smaller
        for dimension, choice in sizes(right.unit).items()
        for own in choice
        for smaller in sizes_in(dimension)
        if smaller < own
    )


def _lists(left: Expression, right: Expression) -> bool:
    """Tell whether a dash leads from a result to its calculation: `12 eggs - 3 * 4 = 12`."""
    if not isinstance(left, Operation) or left.operator != "-" or not isinstance(left.left, Number):
        return False
    return left.left.unit != "" and left.left.value == left.right.value == right.value


def _decimals(value: Fraction) -> int:
    """Return the number of decimals of a value, 40 for a value without end."""
    return next((places for places in range(40) if (value * 10**places).denominator == 1), 40)


def _choosing(doubtful: list[Number], choice: tuple[Exact, ...]) -> Callable[[Number], Exact | None]:
    meant = {number.start: value for number, value in zip(doubtful, choice, strict=True)}

    def read(number: Number) -> Exact | None:
        return meant.get(number.start, number.value)

    return read


def _meant(number: Number) -> list[Exact]:
    """Return the decimal itself and the fractions of small denominators that it may abbreviate."""
    value = Fraction(number.value or 0)
    places = number.places + 2 * number.percent
    step = Fraction(1, 10**places)
    values: list[Exact] = [value]
    for bottom in _DENOMINATORS if number.places > 2 else _DENOMINATORS[:3]:
        for top in (int(value * bottom), int(value * bottom) + 1):
            near = Fraction(top, bottom)
            off = near - value
            if near.denominator in _DENOMINATORS and (0 <= off < step or abs(off) * 2 <= step):
                values.append(near)
    return values


def _hundredfold(left: Expression, right: Expression, context: EquationContext) -> bool:
    """Tell whether one percent sign is missing or superfluous: `20% * 3 = 60`."""
    if left.value is None or right.value is None or not context.mentions_percent:
        return False
    return left.value == right.value * 100 or left.value * 100 == right.value
