"""Tests of the texts of expressions: numbers in place of names, the result alone where nothing can be written."""

from fractions import Fraction

from harness.program import ir
from harness.solution.expression_text import equation_text


def test_equations_are_in_numbers() -> None:
    """Equations are written in numbers; where nothing can be written out, the result stands alone."""
    values = {"a": 12, "b": Fraction(1, 4)}
    product = ir.Binary("*", ir.Name("a"), ir.Name("b"))
    assert equation_text(product, values, 3) == "12 * 0.25 = 3"
    assert equation_text(ir.Call("ceil", (product,), ()), values, 3) == "3"
