"""Quantities: functions of the inputs of a problem, told apart by their value at a random point of a large field.

Two rational functions that differ agree at the point with a probability below 10**-16. What is no rational function, such as
rounding, is a function of its arguments that is equal to itself alone.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from harness.domain import Exact
from harness.equations.grammar import apply
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.text.numbers import whole_as_int
from harness.text.units import LARGE_FACTORS

FIELD = 2**61 - 1
"""The prime whose residues are the points."""
LARGEST_POWER = 64
_SIGNS = {"+": 0, "-": 1, "*": 2, "/": 3, "//": 4, "%": 5, "**": 6}
_PLAIN_CALLS = frozenset({"float", "Fraction"})


class Quantity(NamedTuple):
    """The value of a quantity at the problem's own inputs, and its residue at the random point."""

    value: Exact
    residue: int


def constant(value: Exact) -> Quantity:
    """Return a number that does not depend on the inputs; one that the field does not have is equal to itself alone."""
    exact = Fraction(value)
    return Quantity(whole_as_int(exact), _residue("/", exact.numerator % FIELD, exact.denominator % FIELD))


def operation(operator: str, left: Quantity, right: Quantity) -> Quantity | None:
    """Return the result of an operation, `None` where it has no value."""
    if operator == "%":
        value = left.value % right.value if right.value else None
    else:
        value = apply(operator, left.value, right.value)
    if value is None:
        return None
    power = right.value if operator == "**" else None
    return Quantity(whole_as_int(value), _residue(operator, left.residue, right.residue, power))


def _residue(operator: str, first: int, second: int, power: Exact | None = None) -> int:
    """Return the residue of a result; `power` is the value of an exponent."""
    if operator == "+":
        return (first + second) % FIELD
    if operator == "-":
        return (first - second) % FIELD
    if operator == "*":
        return first * second % FIELD
    if operator == "/" and second:
        return first * pow(second, -1, FIELD) % FIELD
    if power is not None and second == power and 0 <= power <= LARGEST_POWER:
        return pow(first, int(power), FIELD)
    return _opaque(_SIGNS.get(operator, 7), (first, second))


def in_other_units(residue: int, given: Collection[Exact]) -> Iterator[int]:
    """Yield the residues of a quantity in other units, minutes for hours or cents for dollars; no factor is a number that is `given`."""
    for factor in LARGE_FACTORS:
        if factor not in given:
            other = constant(factor).residue
            yield residue * other % FIELD
            yield residue * pow(other, -1, FIELD) % FIELD


def are_in_other_units(first: Exact, second: Exact) -> bool:
    """Tell whether two numbers have a factor between units as their quotient."""
    small, large = sorted((abs(Fraction(first)), abs(Fraction(second))))
    return bool(small) and large / small in LARGE_FACTORS


def complements(residue: int) -> tuple[int, int]:
    """Return the residues of a part where the quantity is the rest of one, or one and the part."""
    return (1 - residue) % FIELD, (residue - 1) % FIELD


def _opaque(kind: int, residues: Sequence[int]) -> int:
    """Return a residue for a function that is equal to itself alone."""
    mixed = kind + 17
    for residue in residues:
        mixed = (mixed * 1_000_003_000_007 + residue * residue + 12_345_678_901) % FIELD
    return mixed


def of_expression(node: ir.Expr, scope: Mapping[str, Quantity]) -> Quantity | None:
    """Return the quantity of an expression of a program, `None` where it is no number or a name is not known."""
    match node:
        case ir.Name(name):
            return scope.get(name)
        case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
            return constant(value)
        case ir.Binary(operator, first, second):
            left, right = of_expression(first, scope), of_expression(second, scope)
            return None if left is None or right is None else operation(operator, left, right)
        case ir.Unary("-", inner):
            operand = of_expression(inner, scope)
            return None if operand is None else Quantity(-operand.value, -operand.residue % FIELD)
        case ir.Call(function, arguments, ()):
            given = [of_expression(argument, scope) for argument in arguments]
            known = [operand for operand in given if operand is not None]
            if len(known) < len(given) or not known:
                return None
            if function in _PLAIN_CALLS:
                return known[0] if len(known) == 1 else operation("/", known[0], known[1])
            try:
                value = evaluate_expression(ir.Call(function, tuple(ir.Const(operand.value) for operand in known)), {})
            except (ProgramError, Refusal):
                return None
            kind = math.prod(ord(letter) for letter in function) % FIELD
            return Quantity(whole_as_int(value), _opaque(kind, [operand.residue for operand in known]))
    return None
