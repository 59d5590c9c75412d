"""The forms of wrong results by the slip that is named: the slip, applied to the right result, must give the wrong one.

Each rule is necessary, not sufficient: 21 for 12 may be two digits swapped, or a carry that was forgotten.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program import ir
from harness.text.number_forms import format_value, numbers_at
from harness.text.numbers import mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.domain import Exact
    from oracles.recheck.flaws.flaw_facts import FlawFacts

_NUMERAL = re.compile(r"([\d,]*)(?:\.(\d+))?", re.ASCII)
_FRACTION = re.compile(r"(?<!\d)(\d+)\D{1,3}(\d+)", re.ASCII)
_LETTERS = re.compile(r"[^\d.,/ ]+")
MOST_OFF, LARGEST_STEM_ERROR, LARGEST_DECIMAL_ERROR = 3, 2, 2


def slip_problem(facts: FlawFacts) -> str | None:
    """Return why the slip that a record names does not make the wrong result of the right one; `None` where it may.

    Slips that this project does not know are passed.
    """
    form = _FORMS.get(facts.record.operator)
    if form is None or facts.edit is not None:
        return None
    right, wrong = facts.values[facts.certificate.change.variable], facts.wrong_value
    if form(facts, right, wrong):
        return None
    return f"operator: {facts.record.operator} does not make {format_value(wrong)} of {format_value(right)}"


def _on_line(facts: FlawFacts, right: Exact, wrong: Exact) -> Iterator[tuple[str, str]]:
    """Yield both results as the line of the correction writes the right one, signs and words left out."""
    line = facts.correction
    for mention in mentions(line):
        for written in numbers_at(line, mention.start, right):
            texts = written.form.write(right), written.form.write(wrong)
            if texts[0] is not None and texts[1] is not None and (texts[0][-1:].isdigit() or "%" in texts[0]):
                yield _LETTERS.sub("", texts[0]), _LETTERS.sub("", texts[1])


def _written(facts: FlawFacts, right: Exact, wrong: Exact) -> Iterator[tuple[str, str]]:
    """Yield both results as the line writes them, in plain digits where it writes none."""
    found = False
    for pair in _on_line(facts, right, wrong):
        found = True
        yield pair
    if not found:
        sizes = [-value if value < 0 else value for value in (right, wrong)]
        for scale in (1, 100):
            first, second = (format_value(size * scale) for size in sizes)
            yield first, second


def _digits(right: str, wrong: str) -> tuple[str, str, int] | None:
    """Return the digits of two numerals with equally many decimals, and how many these are; `None` where one is no numeral."""
    first, second = _NUMERAL.fullmatch(right), _NUMERAL.fullmatch(wrong)
    if first is None or second is None:
        return None
    decimals = [match[2] or "" for match in (first, second)]
    places = max(map(len, decimals))
    digits = [
        f"{match[1].replace(',', '')}{part.ljust(places, '0')}".lstrip("0") or "0"
        for match, part in zip((first, second), decimals, strict=True)
    ]
    return digits[0], digits[1], places


def _in_digits(fits: Callable[[str, str, int], bool]) -> Callable[[FlawFacts, Exact, Exact], bool]:
    """Return the form of two results by their digits, in one of the ways to write them."""

    def form(facts: FlawFacts, right: Exact, wrong: Exact) -> bool:
        pairs = (_digits(*pair) for pair in _written(facts, right, wrong))
        return any(fits(*pair) for pair in pairs if pair is not None)

    return form


def _transposed(right: str, wrong: str, _: int) -> bool:
    swaps = (f"{right[:at]}{right[at + 1]}{right[at]}{right[at + 2 :]}" for at in range(len(right) - 1))
    return right != wrong and wrong in swaps


def _shifted(right: str, wrong: str, _: int) -> bool:
    return right != wrong and right.rstrip("0") == wrong.rstrip("0") and abs(len(right) - len(wrong)) == 1


def _point_shifted(right: str, wrong: str, places: int) -> bool:
    return int(right) % 10**places != 0 and _shifted(right, wrong, places)


def _zeros_miscounted(right: str, wrong: str, places: int) -> bool:
    return int(right) % 10**places == 0 and _shifted(right, wrong, places)


def _off_by_few(right: str, wrong: str, places: int) -> bool:
    off, unit = abs(int(right) - int(wrong)), int(10**places)
    return 0 < off <= MOST_OFF * unit and off % unit == 0


def _stem_off(right: str, wrong: str, places: int) -> bool:
    """Tell whether two whole numbers that end in zeros differ before some of these by one or two."""
    number, off = int(right), abs(int(right) - int(wrong))
    if number % 10**places or off % 10**places:
        return False
    number, off = number // 10**places, off // 10**places
    unit = int(10 ** (len(str(off)) - 1))
    return unit > 1 and off in {unit, LARGEST_STEM_ERROR * unit} and number % unit == 0


def _last_decimal_off(right: str, wrong: str, places: int) -> bool:
    number, other = int(right), int(wrong)
    while places and number % 10 == 0 and other % 10 == 0:
        number, other, places = number // 10, other // 10, places - 1
    return places > 0 and 0 < abs(number - other) <= LARGEST_DECIMAL_ERROR


def _fraction_off(facts: FlawFacts, right: Exact, wrong: Exact) -> bool:
    """Tell whether a fraction, as it is written, has another part by one."""
    pairs = list(_on_line(facts, right, wrong))
    for pair in pairs:
        first, second = (_FRACTION.search(text) for text in pair)
        if first is not None and second is not None:
            top, bottom = int(second[1]) - int(first[1]), int(second[2]) - int(first[2])
            if sorted((abs(top), abs(bottom))) == [0, 1]:
                return True
    fractions = [pair for pair in pairs if "/" in pair[0]]
    return (bool(fractions) or not pairs) and right.denominator != 1 and _parts_off(Fraction(right), Fraction(wrong))


def _parts_off(right: Fraction, wrong: Fraction) -> bool:
    """Tell whether two fractions, one of them perhaps reduced, differ in one part by one."""
    for times in range(1, _MOST_REDUCED + 1):
        top, bottom = abs(right.numerator) * times, right.denominator * times
        parts = ((top + 1, bottom), (top - 1, bottom), (top, bottom + 1), (top, bottom - 1))
        if any(lower and Fraction(upper, lower) == abs(wrong) for upper, lower in parts):
            return True
    return False


_MOST_REDUCED = 60


def _reciprocal(_: FlawFacts, right: Exact, wrong: Exact) -> bool:
    return right * wrong == 1


def _operation(facts: FlawFacts) -> tuple[str, Exact, Exact] | None:
    """Return the outermost operation of the step with the values of its operands; `None` where it has none."""
    match facts.before_expression:
        case ir.Binary(operator, left, right):
            sides = [facts.value_of(side) for side in (left, right)]
            if sides[0] is not None and sides[1] is not None:
                return operator, sides[0], sides[1]
    return None


def _inverted(facts: FlawFacts, _: Exact, wrong: Exact) -> bool:
    """Tell whether the wrong result multiplies for dividing, or divides for multiplying."""
    operation = _operation(facts)
    if operation is None:
        return False
    operator, left, right = operation
    if operator == "*":
        return wrong in {Fraction(first) / second for first, second in ((left, right), (right, left)) if second}
    return operator == "/" and wrong == left * right


def _sign_misread(facts: FlawFacts, right: Exact, wrong: Exact) -> bool:
    operation = _operation(facts)
    if wrong == -right:
        return True
    if operation is None:
        return False
    operator, left, other = operation
    return (operator == "-" and wrong == left + other) or (operator == "+" and wrong == left - other)


def _carry_lost(facts: FlawFacts, right: Exact, wrong: Exact) -> bool:
    """Tell whether the wrong result lacks what had to be carried, or has too much by what had to be borrowed.

    The carry is a one of some columns of a sum, or a multiple of ten of a product's last digit.
    """
    operation = _operation(facts)
    if operation is None:
        return False
    operator, left, other = operation
    unit: int = 10 ** max(_places(left), _places(other))
    if operator == "*":
        unit = 10 ** (_places(left) + _places(other))
        lost = (right - wrong) * unit
        return lost > 0 and lost.denominator == 1 and lost % 10 == 0
    first, second, lost = int(left * unit), int(other * unit), (right - wrong) * unit
    if operator == "+":
        columns = {10**place for place in range(1, len(str(max(first, second)))) if _carries(first, second, 10**place)}
        return lost.denominator == 1 and lost > 0 and _digits_of(int(lost)) <= columns
    if operator != "-":
        return False
    column_by_column = sum(
        abs(first // 10**place % 10 - second // 10**place % 10) * 10**place for place in range(len(str(first)))
    )
    borrows = {10**place for place in range(1, len(str(first))) if first % 10**place < second % 10**place}
    return -lost in borrows or bool(wrong * unit == column_by_column)


def _carries(left: int, right: int, unit: int) -> bool:
    return left % unit + right % unit >= unit


def _digits_of(number: int) -> set[int]:
    """Return the value of a number of ones and zeros; -1 for another digit."""
    digits = enumerate(reversed(str(number)))
    return {10**place if digit == "1" else -1 for place, digit in digits if digit != "0"}


def _places(value: Exact) -> int:
    """Return how many decimals a value takes, at most six."""
    return next((places for places in range(7) if 10**places % value.denominator == 0), 6)


_FORMS: dict[str, Callable[[FlawFacts, Exact, Exact], bool]] = {
    "carry_or_borrow_forgotten": _carry_lost,
    "decimal_shift": _in_digits(_point_shifted),
    "digit_transposition": _in_digits(_transposed),
    "float_off_by_n": _in_digits(_last_decimal_off),
    "fraction_part_off_by_one": _fraction_off,
    "off_by_factor_of_ten": _in_digits(_zeros_miscounted),
    "off_by_n": _in_digits(_off_by_few),
    "reciprocal": _reciprocal,
    "reciprocal_multiplication": _inverted,
    "sign_slip": _sign_misread,
    "stem_off_by_n": _in_digits(_stem_off),
}
"""By the slip, whether it can have made a wrong result of the right one."""
