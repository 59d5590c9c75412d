"""Slip: a carry or a borrow is forgotten in column-by-column arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, example, slip, trailing_zeros
from harness.domain import Exact

LARGEST = 10**15
MOST_PLACES = 6


@slip(
    "carry_or_borrow_forgotten",
    rank=10,
    cause="A carry or a borrow was forgotten",
    examples=(
        example(834, (478, "+", 356), 824, 734, 724),
        example(36, (53, "-", 17), 46, 44),
        example(63, (100, "-", 37), 73),
        example(171, (57, "*", 3), 151),
        example(Fraction(21, 4), (Fraction(7, 2), "+", Fraction(7, 4)), Fraction(17, 4)),
        example(79, (42, "+", 37)),
        example(5, (12, "-", 7)),
    ),
)
def carry_or_borrow_forgotten(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the results with one carry or borrow forgotten, the last column's first, then with none made at all.

    The carry of the leftmost column is written down at once and not forgotten. Subtraction without borrowing takes the
    smaller digit from the larger (Brown and Burton, 1978, "smaller-from-larger"). Sums below twenty are known by heart,
    and a rest above the whole is noticed.
    """
    work = {"+": _sums, "-": _differences, "*": _products}.get(computed.operator)
    places = [_places(operand) for operand in computed.operands]
    if work is None or max(places) > MOST_PLACES or not all(0 <= operand <= LARGEST for operand in computed.operands):
        return
    # Sums and differences are lined up at the point, products at the last digit.
    shifts = places if computed.operator == "*" else [max(places)] * 2
    left, right = (int(operand * 10**shift) for operand, shift in zip(computed.operands, shifts, strict=True))
    divisor = 10 ** (sum(shifts) if computed.operator == "*" else shifts[0])
    yield from (Fraction(result, divisor) for result in work(left, right))


def _places(value: Exact) -> int:
    """Return the number of decimals of a value, more than can be lined up by hand if they do not end."""
    return next((places for places in range(MOST_PLACES + 1) if 10**places % value.denominator == 0), MOST_PLACES + 1)


def _sums(left: int, right: int) -> Iterator[int]:
    carries = _carries(left, right)
    yield from (left + right - unit for unit in carries)
    if len(carries) > 1:
        yield _column_by_column(left, right, lambda top, below: top + below)


def _differences(left: int, right: int) -> Iterator[int]:
    if left < max(right, 20):
        return
    borrows = [unit for unit in _units(left) if left % unit < right % unit]
    results = [left - right + unit for unit in borrows]
    if borrows:
        results.append(_column_by_column(left, right, lambda top, below: abs(top - below)))
    yield from (result for result in results if result < left)


def _products(left: int, right: int) -> Iterator[int]:
    if not left or not right:
        return
    # 120 * 50 is worked out as 12 * 5.
    factor = 10 ** (trailing_zeros(left) + trailing_zeros(right))
    below, top = sorted((left // 10 ** trailing_zeros(left), right // 10 ** trailing_zeros(right)))
    forgotten: list[int] = []
    sum_so_far = 0
    for place, digit in enumerate(map(int, reversed(str(below)))):
        forgotten += [top % unit * digit // unit * unit * 10**place for unit in _units(top)]
        row = top * digit * 10**place
        forgotten += _carries(sum_so_far, row)
        sum_so_far += row
    carries = [carry for carry in forgotten if carry]
    yield from ((top * below - carry) * factor for carry in carries)
    if len(carries) > 1 and below < 10:
        yield _column_by_column(top, 0, lambda digit, _: digit * below) * factor


def _units(number: int) -> list[int]:
    """Return the value of each column of a number, from the tens on."""
    return [10**place for place in range(1, len(str(number)))]


def _carries(left: int, right: int) -> list[int]:
    """Return the values of the columns of a sum that get a carry, except the one before the leftmost."""
    return [unit for unit in _units(max(left, right)) if left % unit + right % unit >= unit]


def _column_by_column(left: int, right: int, work: Callable[[int, int], int]) -> int:
    """Return the result of each column by itself: the last digit, for the leftmost column all digits."""
    result = 0
    for unit in (1, *_units(max(left, right))):
        value = work(left // unit % 10, right // unit % 10)
        result += (value if unit * 10 > max(left, right) else value % 10) * unit
    return result
