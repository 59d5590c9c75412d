"""The truth of an equation in each sense that its author can mean: percentages, units or rounding."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice, product

from harness.domain import Exact
from harness.equations.equation import Expression, Negative, Number, Operation, ParenthesizedExpression, Truth, numbers
from harness.equations.grammar import apply
from harness.text.lexicon import english
from harness.text.units import sizes, sizes_in, units_in

_ROUNDING = english("equations").pattern("rounding", r"[≈≃≅~⌊⌈]|\\approx|\b")
# A float is printed with sixteen digits, the last of which can be wrong after a few operations.
FLOAT_PLACES = 10
FLOAT_ERROR = Fraction(1, 10**11)
MOST_CHOICES = 16


def judge(left: Expression, right: Expression, line: str, *, announced: bool = False) -> Truth:
    """Return whether two sides are equal in any of the senses an author can mean.

    `announced`: the text around the right side says that it is rounded, besides what the words of its line say.
    """
    if left.value is None or right.value is None:
        return Truth.UNKNOWN
    if left.value == right.value:
        return Truth.TRUE
    senses = list(_conventions(left, right, line))
    if any(first == second for first, second in (*senses, *_in_units(left, right, line))):
        return Truth.TRUE
    announced = announced or _ROUNDING.search(line) is not None
    roundings = [(right.value, left.value, left), *((first, second, right) for first, second in senses)]
    if any(_rounded(*sides, announced=announced) for sides in roundings) or _from_floats(left, right):
        return Truth.ROUNDED
    return Truth.UNKNOWN if _may_hold(left, right) else Truth.FALSE


def compared(left: Expression, right: Expression, holds: Callable[[Exact, Exact], bool]) -> Truth:
    """Return whether a comparison holds, in the unit of its right side; UNKNOWN of a percentage and another number."""
    value = value_in_unit(left, right) if isinstance(right, Number) else left.value
    percent = {number.percent for number in (*numbers(left), *numbers(right))}
    if value is None or right.value is None or len(percent) > 1:
        return Truth.UNKNOWN
    return Truth.TRUE if holds(value, right.value) else Truth.FALSE


def _may_hold(left: Expression, right: Expression) -> bool:
    """Tell whether a reading that is not the plain one, but that some authors mean, makes an equation true."""
    value, stated = left.value, right.value
    if value is None or stated is None or any(number.percent and number.unit for number in numbers(left)):
        # `20% off`
        return True
    if _divides(left) and isinstance(right, Number) and not right.places and Fraction(stated).denominator == 1:
        # `100/3 = 33` is a quotient in whole numbers.
        return Fraction(value).denominator > 1 and abs(Fraction(value) - stated) < 1
    if not isinstance(left, Operation) or left.operator not in "+-":
        return False
    part = left.right
    if isinstance(part, Number) and part.percent and not all(number.percent for number in numbers(left)):
        # `50 - 10%`
        return True
    return _lacks_units(left, right)


def _divides(side: Expression) -> bool:
    """Tell whether a side is a product with a quotient in it, of whole numbers."""
    while isinstance(side, ParenthesizedExpression):
        side = side.inner
    if not isinstance(side, Operation) or side.operator not in "*/":
        return False
    return side.operator == "/" or _divides(side.left) or _divides(side.right)


def _lacks_units(left: Expression, right: Expression) -> bool:
    """Tell whether numbers without units may be in a smaller unit than their sum: `30 + 30 = 1 hour`, `$3 + 50 = $3.50`."""
    if not isinstance(right, Number) or right.value is None:
        return False
    return any(
        _each_in(left, _sizes_of(left, dimension), other) == right.value * Fraction(size)
        for dimension, (size, *_) in sizes(right.unit).items()
        for other in sizes_in(dimension)
        if other < size
    )


def evaluate(expression: Expression, read: Callable[[Number], Exact | None]) -> Exact | None:
    """Return the value with numbers read otherwise."""
    if isinstance(expression, Number):
        return read(expression)
    if isinstance(expression, Operation):
        return apply(expression.operator, evaluate(expression.left, read), evaluate(expression.right, read))
    value = evaluate(expression.inner, read)
    return -value if isinstance(expression, Negative) and value is not None else value


def _conventions(left: Expression, right: Expression, line: str) -> Iterator[tuple[Exact, Exact]]:
    """Yield the values of the sides as they stand, and under further conventions for percentages and scale words.

    `3 / 4 * 100% = 75%` reads 100% as 100, `1/4 * 100 = 25%` reads 25% as 25, and `16 million` may be read as 16.
    """
    lefts, rights, leaves = [left.value], [right.value], [*numbers(left), *numbers(right)]
    if any(number.percent for number in leaves):
        lefts.append(evaluate(left, lambda number: 100 if number.percent and number.value == 1 else number.value))
        rights.append(evaluate(right, lambda number: number.value and number.value * (100 if number.percent else 1)))
    elif left.value is not None and ("%" in line or "percent" in line.lower()):
        lefts.append(left.value * 100)
    if any(number.scale > 1 for number in leaves):
        for values, side in ((lefts, left), (rights, right)):
            values.append(evaluate(side, lambda number: number.value and Fraction(number.value) / number.scale))
    yield from ((first, second) for first, second in product(lefts, rights) if first is not None and second is not None)


def _in_units(left: Expression, right: Expression, line: str) -> Iterator[tuple[Exact | None, Exact | None]]:
    """Yield the sides in one unit, where the line has several of a dimension: `90 minutes = 1.5 hours`.

    A side without units of the dimension can be in any unit that the line mentions; so can a whole side, and a rate.
    """
    stated = {number.unit for side in (left, right) for number in numbers(side) if sizes(number.unit)}
    if not stated:
        return
    mentioned = stated | units_in(line)
    for dimension in sorted({name for unit in stated for name in sizes(unit)}):
        known = sorted(
            {unit for unit in mentioned if dimension in sizes(unit)} | ({"piece"} if dimension == "count" else set())
        )
        choices = product(*(sizes(unit)[dimension] for unit in known)) if len(known) > 1 else ()
        for choice in islice(choices, MOST_CHOICES):
            scale = dict(zip(known, choice, strict=True))
            yield from product(_side_values(left, scale), _side_values(right, scale))
            yield from ((_each_in(left, scale, size, size), right.value) for size in choice)


def _side_values(side: Expression, scale: Mapping[str, Exact]) -> Iterator[Exact]:
    """Yield the value with each number in its unit, and with the whole side in one of its units, or in any where it has none."""
    total, value = _each_in(side, scale, 1), side.value
    if total is not None and value is not None:
        own = {number.unit for number in numbers(side)} & scale.keys()
        yield from (total, *(value * scale[unit] for unit in own or scale))


def _sizes_of(side: Expression, dimension: str) -> dict[str, Exact]:
    units = {number.unit: sizes(number.unit) for number in numbers(side)}
    return {unit: dimensions[dimension][0] for unit, dimensions in units.items() if dimension in dimensions}


def _each_in(side: Expression, scale: Mapping[str, Exact], other: Exact, target: Exact = 1) -> Exact | None:
    """Return the value of a side in units of the size `target`; numbers without a unit of `scale` are in `other`."""
    return evaluate(
        side,
        lambda number: (
            None if number.value is None else Fraction(number.value) * scale.get(number.unit, other) / target
        ),
    )


def value_in_unit(left: Expression, right: Number) -> Exact | None:
    """Return the value of a side in the unit of the number on the other side, `None` where a unit has several sizes."""
    for dimension, (size, *others) in sizes(right.unit).items():
        known = _sizes_of(left, dimension)
        if known.keys() - {right.unit}:
            several = others or any(len(sizes(unit)[dimension]) > 1 for unit in known)
            return None if several else _each_in(left, known, size, size)
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
    if places or stated.scale > 1:
        return error * 2 <= step or (error < step and abs(Fraction(value)) < abs(Fraction(exact)))
    while (Fraction(value) / (step * 10)).denominator == 1 and step * 100 <= abs(Fraction(exact)):
        step *= 10
    return error * 2 <= step or error < 1


def _from_floats(left: Expression, right: Expression) -> bool:
    """Tell whether the sides differ by the error of a calculation in floating point: `80 / 26.666666666666668 = 3`."""
    first, second = Fraction(left.value or 0), Fraction(right.value or 0)
    near = abs(first - second) <= FLOAT_ERROR * max(abs(first), abs(second), Fraction(1))
    return near and any(number.places >= FLOAT_PLACES for number in (*numbers(left), *numbers(right)))
