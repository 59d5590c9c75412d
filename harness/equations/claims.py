"""Which false equations of a text its author claims: not one whose sentence doubts it, and not one that holds by a convention of the text."""

from fractions import Fraction

from harness.equations.equation import StatedEquation, numbers
from harness.text.doubts import counting_moduli, is_doubted
from harness.text.markup import ANNOTATION

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
