"""The exact values of terms and normal forms at points, for tests that hold provers against evaluation."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from harness.program.evaluation.values import Operand, Term, subterms
from oracles.equivalence.provers.normal_form import AtomMeaning, OpaqueAtoms, Quotient
from oracles.equivalence.provers.polynomials import value_at
from oracles.equivalence.provers.symbolic_paths import SymbolicPath
from tests.cases import texts

Number = int | Fraction
_NAMED = "+ add | - sub | * mul | // floordiv | % mod | < lt | <= le | > gt | >= ge | == eq | != ne"
_OPERATIONS: dict[str, Callable[..., Number]] = {
    **{sign: getattr(operator, name) for sign, name in map(str.split, texts(_NAMED))},
    **{function.__name__: function for function in (math.floor, math.ceil, math.trunc, abs, min, max)},
    "/": lambda left, right: Fraction(left) / right,
    "**": lambda left, right: Fraction(left) ** int(right),
    "round": lambda value, places: Fraction(round(Fraction(value), int(places))),
}


def term_value(operand: Operand, inputs: Sequence[Number]) -> Number:
    """Return the value of a term.

    Raises:
        ZeroDivisionError: it has none.
    """
    if not isinstance(operand, Term):
        return operand
    known: dict[int, Number] = {}
    for term in subterms(operand, known):
        if term.operator == "input":
            known[id(term)] = inputs[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
        else:
            parts = (known[id(part)] if isinstance(part, Term) else part for part in term.arguments)
            known[id(term)] = _OPERATIONS[term.operator](*parts)
    return known[id(operand)]


def path_at(paths: Sequence[SymbolicPath], inputs: Sequence[Number]) -> SymbolicPath | None:
    """Return the path that a program takes, `None` where a condition has no value."""
    try:
        for path in paths:
            if all(bool(term_value(condition, inputs)) is holds for condition, holds in path.conditions):
                return path
    except ZeroDivisionError:
        return None
    message = f"no path for {inputs}"
    raise AssertionError(message)


def path_value(path: SymbolicPath, inputs: Sequence[Number]) -> Number | None:
    """Return what a path gives, `None` where it raises or divides by zero."""
    if path.value is None or any(not term_value(divisor, inputs) for divisor in path.divisors):
        return None
    return term_value(path.value, inputs)


def quotient_value(value: Quotient, atoms: OpaqueAtoms, point: Mapping[int, Number]) -> Fraction:
    """Return the value of a normal form; `point` gives the variables of the inputs.

    Raises:
        ZeroDivisionError: it has none.
    """
    numbers = dict(point)
    for polynomial in (value.numerator, value.denominator):
        for monomial in polynomial:
            for index, _ in monomial:
                if index not in numbers:
                    numbers[index] = _atom_value(atoms.meanings[index], atoms, point)
    return Fraction(value_at(value.numerator, numbers)) / Fraction(value_at(value.denominator, numbers))


def _atom_value(meaning: AtomMeaning, atoms: OpaqueAtoms, point: Mapping[int, Number]) -> Number:
    values = [quotient_value(argument, atoms, point) for argument in meaning.arguments]
    match meaning.operator:
        case "round":
            return Fraction(round(values[0], meaning.places))
    return _OPERATIONS[meaning.operator](*values)
