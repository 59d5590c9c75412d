"""Whether two written answers are equal: exactly where both are read whole, else by math-verify, else not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.answers.symbolic import symbolic_equality
from harness.text.quantity import read_quantity, unwrapped

if TYPE_CHECKING:
    from harness.text.quantity import Quantity

HUNDRED = 100


def equal_answers(left: str, right: str) -> bool | None:
    r"""Tell whether two answers are equal: `\frac{3}{4}`, `0.75` and `75%`; `2 hours` and `120 minutes`.

    `None` where one is not read, and where they are equal only if the other has a unit that it does not name: `5 dozen` and `60`.
    """
    if left.strip() == right.strip():
        return True
    first, second = read_quantity(left), read_quantity(right)
    if first is None or second is None:
        return symbolic_equality(unwrapped(left), unwrapped(right))
    if first.percent is not second.percent:
        percent, other = (first, second) if first.percent else (second, first)
        same = other.value in {percent.value, percent.value / HUNDRED}
    else:
        same = first.value == second.value
    if same or first.same_amount(second):
        return True
    return None if _one_is_also(first, second) else False


def _one_is_also(first: Quantity, second: Quantity) -> bool:
    return (not second.unit and first.is_also(second.value)) or (not first.unit and second.is_also(first.value))
