"""Slip: a carry or a borrow is forgotten in column-by-column arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import Columns, columns_of, likeliest_values, trailing_zeros
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN

_COUNT = Unit(Quantity.COUNT, "apple")


@slip(
    "carry_or_borrow_forgotten",
    rank=10,
    phrases=explanation_phrases("carry_or_borrow_forgotten")["phrases"],
    examples=(
        SlipExample(ComputedResult(95, PLAIN, _COUNT, "+", (58, 37)), (85,)),
        SlipExample(ComputedResult(834, PLAIN, _COUNT, "+", (478, 356)), (824, 734, 724)),
        SlipExample(ComputedResult(36, PLAIN, _COUNT, "-", (53, 17)), (46, 44)),
        SlipExample(ComputedResult(63, PLAIN, _COUNT, "-", (100, 37)), (73,)),
        SlipExample(ComputedResult(171, PLAIN, _COUNT, "*", (57, 3)), (151,)),
        SlipExample(
            ComputedResult(Fraction(21, 4), PLAIN, Unit(Quantity.MONEY), "+", (Fraction(7, 2), Fraction(7, 4))),
            (Fraction(17, 4),),
        ),
        SlipExample(ComputedResult(79, PLAIN, _COUNT, "+", (42, 37)), ()),
        SlipExample(ComputedResult(15, PLAIN, _COUNT, "+", (8, 7)), ()),
        SlipExample(ComputedResult(5, PLAIN, _COUNT, "-", (12, 7)), ()),
    ),
)
def carry_or_borrow_forgotten(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the results with one carry or borrow forgotten, the last column's first, then with none made at all.

    The carry of the leftmost column is written down at once and not forgotten. Subtraction without borrowing takes the
    smaller digit from the larger (Brown and Burton, 1978, "smaller-from-larger"). Sums below twenty are known by heart,
    and a rest above the whole is noticed.
    """
    columns = columns_of(computed)
    if columns is None:
        return
    results = {"+": _sums, "-": _differences, "*": _products}[computed.operator](columns)
    yield from likeliest_values(computed, (Fraction(result, columns.divisor) for result in results))


def _sums(columns: Columns) -> Iterator[int]:
    left, right = columns.left, columns.right
    carries = _carries(left, right)
    yield from (left + right - unit for unit in carries)
    if len(carries) > 1:
        yield _column_by_column(left, right, lambda top, below: top + below)


def _differences(columns: Columns) -> Iterator[int]:
    left, right = columns.left, columns.right
    if left < max(right, 20):
        return
    borrows = [unit for unit in _units(left) if left % unit < right % unit]
    results = [left - right + unit for unit in borrows]
    if borrows:
        results.append(_column_by_column(left, right, lambda top, below: abs(top - below)))
    yield from (result for result in results if result < left)


def _products(columns: Columns) -> Iterator[int]:
    if not columns.right:
        return
    # 120 * 50 is worked out as 12 * 5.
    factor = 10 ** (trailing_zeros(columns.left) + trailing_zeros(columns.right))
    below, top = sorted(
        (columns.left // 10 ** trailing_zeros(columns.left), columns.right // 10 ** trailing_zeros(columns.right))
    )
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
