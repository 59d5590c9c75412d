"""Whether two written answers are equal: exactly where both are read whole, else by math-verify, else not known."""

import re

from harness.answers.symbolic import symbolic_equality
from harness.text.quantity import Quantity, read_quantity, unwrapped
from harness.text.units import singular_unit

HUNDRED = 100
_CHOICE = re.compile(r"\(?([A-Z])\)?")


def equal_answers(left: str, right: str) -> bool | None:
    r"""Tell whether two answers are equal: `\frac{3}{4}`, `0.75` and `75%`; `2 hours` and `120 minutes`; `(B)` and `B`.

    `None` where one is not read, where they are equal only if the other has a unit that it does not name (`5 dozen` and `60`), and
    where they are equal but for units that have no known ratio (`5 km` and `5 hours`).
    """
    first, second = read_quantity(left), read_quantity(right)
    if first is None or second is None:
        same = _unread_equality(*map(_comparable_text, (left, right), (first, second)))
        with_unit = any(quantity is not None and quantity.unit for quantity in (first, second))
        return None if same is False and with_unit else same
    same = _same_value(first, second)
    if (first.unit or first.percent) and (second.unit or second.percent):
        return _with_units(first, second, same=same)
    return True if same else None if _one_is_also(first, second) else False


def _comparable_text(text: str, quantity: Quantity | None) -> str:
    return unwrapped(text) if quantity is None or quantity.percent else str(quantity.value)


def _unread_equality(left: str, right: str) -> bool | None:
    """Compare what is no number: the letters of two choices, the same text, else expressions."""
    choices = _CHOICE.fullmatch(left), _CHOICE.fullmatch(right)
    if choices[0] is not None and choices[1] is not None:
        return choices[0][1] == choices[1][1]
    # One letter in another case may be another variable, or in a unit another size.
    words = left.replace(" ", "").isalpha() and len(left) > 1
    if left == right or (words and left.casefold() == right.casefold()):
        return True
    return symbolic_equality(left, right)


def _same_value(first: Quantity, second: Quantity) -> bool:
    if first.percent is second.percent:
        return first.value == second.value
    percent, other = (first, second) if first.percent else (second, first)
    return other.value in {percent.value, percent.value / HUNDRED}


def _with_units(first: Quantity, second: Quantity, *, same: bool) -> bool | None:
    """Compare amounts: of units that have a ratio by it, of others by their values where the unit is one."""
    ratios = first.ratios(second)
    if ratios:
        return any(first.value * ratio == second.value for ratio in ratios)
    one_unit = _nouns(first) == _nouns(second) and first.percent is second.percent
    return False if not same else True if one_unit else None


def _nouns(quantity: Quantity) -> list[str]:
    """Return the nouns of a unit without their modifiers: of `red apples per day` apple and day."""
    return [singular_unit(part.rpartition(" ")[2]) for part in quantity.unit.replace("/", " per ").split(" per ")]


def _one_is_also(first: Quantity, second: Quantity) -> bool:
    return (not second.unit and first.is_also(second.value)) or (not first.unit and second.is_also(first.value))
