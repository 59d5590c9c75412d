"""Laws of steps as equations that a reader can follow."""

from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.value_parser import read_expression
from harness.solution.expression_text import worked_equation
from tests.cases import cases, rows

VALUES = {"a": 17, "b": 5, "c": 3, "order": 44, "limit": 40, "below": -7}
TOLD = dict(
    rows("""ceil(a / b) → 17 / 5 rounded up = 4 | ceil((a + b) / c) * b → ((17 + 5) / 3 rounded up) * 5 = 40
floor(a / b) → 17 / 5 rounded down = 3 | a // b → 17 / 5 rounded down = 3
a // b * b → (17 / 5 rounded down) * 5 = 15 | int(a / b) → 17 / 5 rounded down = 3
int(below / c) → -7 / 3 cut to a whole number = -2 | int(a * b) → 17 * 5 = 85
a % b → the remainder of 17 / 5 = 2 | b ** 2 → 5^2 = 25 | round(a / c, 2) → 17 / 3 rounded to 2 decimals = 5.67
round(a / c) → 17 / 3 rounded = 6 | min(order, limit) → the smaller of 44 and 40 = 40
max(a - b, c, b) → the largest of 17 - 5, 3 and 5 = 12 | a + min(b, c) → 17 + (the smaller of 5 and 3) = 20
abs(b - a) → the absolute value of 5 - 17 = 12 | a * Fraction(1, 2) → 17 * 1 / 2 = 8.5
order - b if order > limit else order → 44 - 5 = 39 | order - b if order > 50 else order + c → 44 + 3 = 47""")
)


@cases("code", TOLD)
def test_a_step_is_an_equation(code: str) -> None:
    """Its left side says how the result comes about; there is no result alone."""
    expression = read_expression(code)
    assert worked_equation(expression, VALUES, evaluate_expression(expression, VALUES)) == TOLD[code]
