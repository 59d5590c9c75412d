"""Tests of the bound on the error of comparison at random points of prime fields."""

import math
from fractions import Fraction
from random import Random

import sympy
from hypothesis import given, settings, strategies as st

from harness.program.evaluation.terms import Term, open_input
from oracles.equivalence.provers.comparison import MOST_ERROR
from oracles.equivalence.provers.prime_field import agree, fewest_primes, size_of
from tests.cases import cases

Tree = Term | int | Fraction
INPUTS = [open_input(index) for index in range(3)]
VALUES = {0: 0, 1: 1, 2: Fraction(7, 3)}
SYMBOLS = sympy.symbols("x0:2")

LEAVES = st.one_of(st.sampled_from(INPUTS), st.integers(-9, 9), st.fractions(-20, 20, max_denominator=30))
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda parts: Term(parts[0], (parts[1], parts[2]))),
        st.tuples(inner, st.integers(-2, 3)).map(lambda parts: Term("**", parts)),
    ),
    max_leaves=8,
)


def quotient(tree: Tree) -> tuple[sympy.Poly, sympy.Poly]:
    """Return numerator and denominator of a term with integer coefficients, nothing being cancelled."""
    if not isinstance(tree, Term) or tree.operator == "input":
        value = VALUES[int(tree.arguments[0])] if isinstance(tree, Term) else Fraction(tree)
        if isinstance(tree, Term) and isinstance(value, int):
            return sympy.Poly(SYMBOLS[value], *SYMBOLS), sympy.Poly(1, *SYMBOLS)
        return sympy.Poly(value.numerator, *SYMBOLS), sympy.Poly(value.denominator, *SYMBOLS)
    top, bottom = quotient(tree.arguments[0])
    if tree.operator == "**":
        exponent = int(tree.arguments[1])
        return (top**exponent, bottom**exponent) if exponent >= 0 else (bottom**-exponent, top**-exponent)
    other_top, other_bottom = quotient(tree.arguments[1])
    match tree.operator:
        case "*":
            return top * other_top, bottom * other_bottom
        case "/":
            return top * other_bottom, bottom * other_top
    other_top = other_top if tree.operator == "+" else -other_top
    return top * other_bottom + other_top * bottom, bottom * other_bottom


@settings(max_examples=60, deadline=None)
@given(TREES)
def test_degrees_and_coefficients_are_within_their_bounds(tree: Tree) -> None:
    """Numerator and denominator of a term, computed exactly by sympy, are no larger than the error bound takes them for."""
    size = size_of(tree, VALUES)
    for polynomial, degree, bits in zip(
        quotient(tree), (size.top_degree, size.bottom_degree), (size.top_bits, size.bottom_bits), strict=True
    ):
        assert polynomial.is_zero or polynomial.total_degree() <= degree
        assert all(abs(int(coefficient)) <= 1 << bits for coefficient in polynomial.coeffs())


def test_the_bound_counts_the_primes_that_divide_a_difference() -> None:
    """Two terms agree wherever the prime divides their difference: more often than the degree alone says, not more often than the bound."""
    trials = 1_500
    right = Term("+", (INPUTS[0], Term("*", (math.prod((131, 137, 139, 149, 151)), INPUTS[1]))))
    results = [agree(INPUTS[0], right, VALUES, VALUES, Random(trial), prime_bits=8) for trial in range(trials)]
    wrong = [result for result in results if result.equal]
    assert {result.error_bound for result in wrong} == {"(1/2^7 + 5/2^3)^4"}
    assert trials * Fraction(1, 128) ** 4 < len(wrong) <= trials * wrong[0].error


@cases("bits", list(range(6, 15)))
def test_the_number_of_primes_is_not_overstated(bits: int) -> None:
    """The bound divides by no more primes than there are."""
    assert fewest_primes(bits) <= len(list(sympy.primerange(1 << bits - 1, 1 << bits)))


def test_a_coefficient_with_many_primes_is_no_proof() -> None:
    """Where the difference may have more prime factors than leave a small error, agreement at random points confirms nothing."""
    small = Term("+", (INPUTS[0], INPUTS[1]))
    huge = Term("**", (Term("*", (10**4_000, INPUTS[1])), 1 << 24))
    errors = [agree(term, term, VALUES, VALUES, Random(1)).error for term in (small, huge)]
    assert [error <= MOST_ERROR for error in errors] == [True, False]
