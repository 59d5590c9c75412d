"""False equations: whether their authors claim them, and their corrections, solved for, put in, and read again before they are shown."""

from fractions import Fraction

from harness.equations.equation import Number, StatedEquation, Truth, numbers
from harness.equations.line_reader import read_line
from harness.equations.truth import value_in_unit
from harness.text.doubts import counting_moduli, is_doubted
from harness.text.markup import ANNOTATION
from harness.text.number_forms import format_value, numbers_at

MOST_CORRECTED = 16
LONGEST_SHOWN = 160


def due_equation(equation: StatedEquation, text: str) -> str:
    """Return an equation of a text with the right side that makes it true, written as the wrong one is; empty where none is read as true."""
    right = _due(equation, text)
    if isinstance(equation.right, Number):
        right += text[equation.right.end : equation.right.outer_end] if right else ""
    return f"{text[equation.left.start : equation.left.end]} = {right}"[:LONGEST_SHOWN] if right else ""


def corrected_line(text: str) -> str:
    """Return a line with its false equations corrected from left to right; empty where it has none, or one cannot be corrected."""
    corrected = text
    for _ in range(MOST_CORRECTED):
        false = read_line(corrected).false
        if not false:
            return "" if corrected == text else corrected
        right = _due(false[0], corrected)
        if not right:
            break
        corrected = f"{corrected[: false[0].right.start]}{right}{corrected[false[0].right.end :]}"
    return ""


def _due(equation: StatedEquation, text: str) -> str:
    value, right = equation.left.value, equation.right
    if value is None or right.value is None:
        return ""
    written = None
    if isinstance(right, Number):
        value = value_in_unit(equation.left, right)
        if value is None:
            return ""
        value = Fraction(value) / right.scale
        form = next((number.form for number in numbers_at(text, right.start, right.value)), None)
        written = None if form is None else form.write(value)
        if written is None and right.percent:
            return ""
    written = written or format_value(value)
    corrected = f"{text[: right.start]}{written}{text[right.end :]}"
    again = [each for each in read_line(corrected).equations if each.start == equation.start]
    holds = bool(again) and all(each.truth in {Truth.TRUE, Truth.ROUNDED} for each in again[:1])
    return written if holds and written != text[right.start : right.end] else ""


REJECTED = "the text may reject it"
CONVENTION = "a convention of the text may make it true"


def claim_doubt(equation: StatedEquation, line: str) -> str:
    """Return why the author of a line may not claim a false equation in it, empty where its clause is read as its statement."""
    if equation.annotation:
        return ""
    prose = ANNOTATION.sub(lambda match: " " * len(match.group()), line)
    unit = next((number.unit for number in numbers(equation.right) if number.unit), "")
    return REJECTED if is_doubted(prose, equation.start, equation.end, unit) else ""


def holds_by_convention(equation: StatedEquation, text: str) -> bool:
    """Tell whether an equation may hold by a convention that a problem or a solution states.

    Where numbers start anew at a modulus or on a clock, it holds at that modulus; in a text with digits, signs or rounding of its own none is judged.
    """
    left, right, moduli = equation.left.value, equation.right.value, counting_moduli(text)
    if left is None or right is None or moduli is None:
        return True
    return any((Fraction(left) - right) % modulus == 0 and 0 <= right <= modulus for modulus in moduli)
