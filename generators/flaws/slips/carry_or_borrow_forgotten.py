"""Slip: a carry or a borrow is forgotten in column-by-column arithmetic."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, slip, trailing_zeros
from harness.domain import Exact, decimal_places

LARGEST = 10**15
MOST_PLACES = 6


@slip(
    "carry_or_borrow_forgotten",
    *("478 + 356 = 834: 824 734 724", "53 - 17 = 36: 46 44", "100 - 37 = 63: 73", "57 * 3 = 171: 151"),
    *("7/2 + 7/4 = 21/4: 17/4", "42 + 37 = 79:", "12 - 7 = 5:"),
    rank=10,
    cause="A carry or a borrow was forgotten",
)
def carry_or_borrow_forgotten(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the results with one carry or borrow forgotten, the last column's first, then with none made at all.

    The carry of the leftmost column is written down at once and not forgotten. Subtraction without borrowing takes the
    smaller digit from the larger (Brown and Burton, 1978, "smaller-from-larger"). Sums below twenty are known by heart,
    and a rest above the whole is noticed.
    """
    work = {"+": _sums, "-": _differences, "*": _products}.get(computed.operator)
    if work is None or not all(0 <= operand <= LARGEST for operand in computed.operands):
        return
    places = [count for value in computed.operands if (count := decimal_places(value, MOST_PLACES)) is not None]
    if len(places) < len(computed.operands):
        return
    # Sums and differences are lined up at the point, products at the last digit.
    shifts = places if computed.operator == "*" else [max(places)] * 2
    left, right = (int(operand * 10**shift) for operand, shift in zip(computed.operands, shifts, strict=True))
    divisor = 10 ** (sum(shifts) if computed.operator == "*" else shifts[0])
    yield from (Fraction(result, divisor) for result in work(left, right))


def _sums(left: int, right: int) -> Iterator[int]:
    carries = _carries(left, right)
    yield from (left + right - unit for unit in carries)
    if len(carries) > 1:
        yield _column_by_column(left, right, lambda top, below: top + below)


def _differences(left: int, right: int) -> Iterator[int]:
    borrows = [unit for unit in _units(left) if left % unit < right % unit]
    if left >= max(right, 20) and borrows:
        without = _column_by_column(left, right, lambda top, below: abs(top - below))
        results = (*(left - right + unit for unit in borrows), without)
        yield from (result for result in results if result < left)


def _products(left: int, right: int) -> Iterator[int]:
    if not left or not right:
        return
    # 120 * 50 is worked out as 12 * 5.
    zeros = trailing_zeros(left), trailing_zeros(right)
    below, top = sorted((left // 10 ** zeros[0], right // 10 ** zeros[1]))
    forgotten: list[int] = []
    sum_so_far = 0
    for place, digit in enumerate(map(int, reversed(str(below)))):
        forgotten += [top % unit * digit // unit * unit * 10**place for unit in _units(top)]
        row = top * digit * 10**place
        forgotten += _carries(sum_so_far, row)
        sum_so_far += row
    yield from ((top * below - carry) * 10 ** sum(zeros) for carry in forgotten if carry)


def _units(number: int) -> list[int]:
    """Return the value of each column of a number, from the tens on."""
    return [10**place for place in range(1, len(str(number)))]


def _carries(left: int, right: int) -> list[int]:
    """Return the values of the columns of a sum that get a carry, except the one before the leftmost."""
    return [unit for unit in _units(max(left, right)) if left % unit + right % unit >= unit]


def _column_by_column(left: int, right: int, work: Callable[[int, int], int]) -> int:
    """Return the result of each column by itself: the last digit, for the leftmost column all digits."""
    *lower, highest = (1, *_units(max(left, right)))
    results = (work(left // unit % 10, right // unit % 10) % 10 * unit for unit in lower)
    return sum(results) + work(left // highest % 10, right // highest % 10) * highest
