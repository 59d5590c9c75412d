"""Tests of normal forms: they are equal exactly if the rational functions are, and sympy agrees.

It has more than 400 lines because the table of rewrites and the random expressions serve all of its laws.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest
import sympy
from hypothesis import assume, given, settings, strategies as st

from harness.program.evaluation.terms import Term, open_input
from oracles.equivalence.provers.normal_form import AlwaysUndefinedError, Normalizer, OpaqueAtoms, Quotient
from oracles.equivalence.provers.polynomials import (
    Polynomial,
    TooLargeError,
    add,
    constant,
    multiply,
    primitive,
    sign,
    variable,
)
from oracles.equivalence.provers.prime_field import NotRationalError, agree, is_prime
from tests.cases import cases

Tree = Term | int | Fraction
INPUTS = [open_input(index) for index in range(3)]
VALUES = {index: index for index in range(3)}
SYMBOLS = sympy.symbols("x0:3")


def normalizer(*, integral: bool = False, positive: bool = False) -> Normalizer:
    """Return a normalizer over three inputs."""
    every = frozenset(range(3))
    return Normalizer(
        dict(VALUES), OpaqueAtoms(), every if integral else frozenset(), every if positive else frozenset()
    )


def same(left: Tree, right: Tree, **roles: bool) -> bool:
    """Tell whether two terms have equal normal forms."""
    shared = normalizer(**roles)
    return shared.normal(left).equals(shared.normal(right))


LEAVES = st.one_of(st.sampled_from(INPUTS), st.integers(-3, 3), st.fractions(-2, 2, max_denominator=3))


def branched(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """Build a rational term of smaller ones."""
    return st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda parts: Term(parts[0], (parts[1], parts[2]))),
        st.tuples(inner, st.integers(-1, 2)).map(lambda parts: Term("**", parts)),
    )


TREES = st.recursive(LEAVES, branched, max_leaves=7)


def in_sympy(tree: Tree) -> sympy.Expr:
    """Translate a term for sympy."""
    if not isinstance(tree, Term):
        return sympy.Rational(tree.numerator, tree.denominator)
    if tree.operator == "input":
        return SYMBOLS[int(tree.arguments[0])]
    left, right = map(in_sympy, tree.arguments)
    return {"+": left + right, "-": left - right, "*": left * right, "/": left / right, "**": left**right}[
        tree.operator
    ]


def value(tree: Tree, point: list[Fraction]) -> Fraction:
    """Evaluate a term, by arithmetic of its own."""
    if not isinstance(tree, Term):
        return Fraction(tree)
    if tree.operator == "input":
        return point[int(tree.arguments[0])]
    parts = [value(part, point) for part in tree.arguments]
    left, right = parts if len(parts) == 2 else (parts[0], Fraction(0))
    match tree.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "**":
            return Fraction(left ** int(right))
        case "//":
            return Fraction(left // right)
        case "%":
            return left % right
        case "floor" | "ceil" | "trunc" | "abs":
            return Fraction(
                {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "abs": abs}[tree.operator](left)
            )
        case "round":
            return Fraction(round(left, int(right)))
        case _:
            return min(parts) if tree.operator == "min" else max(parts)


def defined(tree: Tree) -> bool:
    """Tell whether a term divides by zero nowhere by construction."""
    try:
        normalizer().normal(tree)
    except (AlwaysUndefinedError, TooLargeError):
        return False
    return True


@given(TREES, TREES)
@settings(max_examples=300)
def test_equality_is_that_of_sympy(left: Tree, right: Tree) -> None:
    """Two random rational functions are equal to us exactly where sympy simplifies their difference to zero."""
    assume(defined(left) and defined(right))
    assert same(left, right) is (sympy.simplify(in_sympy(left) - in_sympy(right)) == 0)


Rewrite = Callable[[Tree, Tree, Tree], tuple[Tree, Tree]]


def plus(left: Tree, right: Tree) -> Term:
    """Return a sum."""
    return Term("+", (left, right))


def minus(left: Tree, right: Tree) -> Term:
    """Return a difference."""
    return Term("-", (left, right))


def times(left: Tree, right: Tree) -> Term:
    """Return a product."""
    return Term("*", (left, right))


def over(left: Tree, right: Tree) -> Term:
    """Return a quotient."""
    return Term("/", (left, right))


REWRITES: dict[str, Rewrite] = {
    "a sum commuted": lambda a, b, _: (plus(a, b), plus(b, a)),
    "a product commuted": lambda a, b, _: (times(a, b), times(b, a)),
    "a product distributed": lambda a, b, c: (times(a, plus(b, c)), plus(times(a, b), times(a, c))),
    "a sum reassociated": lambda a, b, c: (plus(a, plus(b, c)), plus(plus(a, b), c)),
    "a difference of differences": lambda a, b, c: (minus(a, minus(b, c)), plus(minus(a, b), c)),
    "a quotient of a sum": lambda a, b, _: (over(plus(a, b), 3), plus(over(a, 3), over(b, 3))),
    "a square": lambda a, *_: (Term("**", (a, 2)), times(a, a)),
    "a third of thirds": lambda a, *_: (times(over(a, 3), 3), a),
}


@pytest.mark.parametrize("rewrite", REWRITES)
@given(parts=st.tuples(TREES, TREES, TREES))
@settings(max_examples=40)
def test_equivalent_rewrites_have_equal_forms(rewrite: str, parts: tuple[Tree, Tree, Tree]) -> None:
    """The laws of a field hold of normal forms, whatever the parts are."""
    assume(all(map(defined, parts)))
    left, right = REWRITES[rewrite](*parts)
    assume(defined(left) and defined(right))
    assert same(left, right)


@given(TREES, TREES, st.integers(0, 2**32))
@settings(max_examples=300)
def test_the_field_agrees_with_normal_forms(left: Tree, right: Tree, seed: int) -> None:
    """Random points of random fields tell apart what normal forms do, and nothing else."""
    assume(defined(left) and defined(right))
    try:
        found = agree(left, right, VALUES, VALUES, Random(seed)).equal
    except NotRationalError:
        return
    assert found is same(left, right)


@given(st.integers(1, 10**6))
def test_primes(number: int) -> None:
    """The primality test is that of sympy."""
    assert is_prime(2 * number + 1) is sympy.isprime(2 * number + 1)


@pytest.mark.parametrize("number", [3215031751, 3825123056546413051, (1 << 61) - 1, (1 << 61) - 3])
def test_strong_pseudoprimes(number: int) -> None:
    """Composites that pass for primes on a few bases do not pass."""
    assert is_prime(number) is sympy.isprime(number)


@cases("operator", ["floor", "abs", "//", "%", "min"])
def test_the_field_refuses_what_is_not_rational(operator: str) -> None:
    """Nothing but field operations is compared there."""
    with pytest.raises(NotRationalError):
        agree(Term(operator, (INPUTS[0], INPUTS[1])), INPUTS[0], VALUES, VALUES, Random(1))


def test_the_field_refuses_a_term_that_is_undefined_everywhere() -> None:
    """Where every point divides by zero there is nothing to compare."""
    zero = Term("-", (INPUTS[0], INPUTS[0]))
    with pytest.raises(NotRationalError):
        agree(Term("/", (INPUTS[0], zero)), INPUTS[0], VALUES, VALUES, Random(1))


def test_the_field_has_a_bound_of_the_degree() -> None:
    """The bound names the degree of the cross-multiplied difference, and the number of points."""
    left = Term("/", (Term("**", (INPUTS[0], 5)), INPUTS[1]))
    assert agree(left, left, VALUES, VALUES, Random(1)).error_bound == "(6/2^60)^4"


PIECEWISE = st.recursive(
    st.one_of(st.sampled_from(INPUTS), st.integers(1, 4), st.sampled_from([Fraction(1, 2), Fraction(5, 2)])),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*"]), inner, inner).map(
            lambda parts: Term(parts[0], (parts[1], parts[2]))
        ),
        st.tuples(st.sampled_from(["floor", "ceil", "trunc", "abs"]), inner).map(
            lambda parts: Term(parts[0], (parts[1],))
        ),
        st.tuples(st.sampled_from(["//", "%", "/"]), inner, st.integers(1, 4)).map(
            lambda parts: Term(parts[0], (parts[1], parts[2]))
        ),
        st.tuples(inner, st.integers(-1, 2)).map(lambda parts: Term("round", parts)),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(
            lambda parts: Term(parts[0], (parts[1], parts[2]))
        ),
    ),
    max_leaves=4,
)


@given(PIECEWISE, PIECEWISE, st.lists(st.integers(1, 9), min_size=3, max_size=3))
@settings(max_examples=1500)
def test_equal_forms_have_equal_values_on_positive_integers(left: Tree, right: Tree, point: list[int]) -> None:
    """Floors, remainders, roundings and extremes that normalise alike never differ in value."""
    exact = [Fraction(number) for number in point]
    assert not same(left, right, integral=True, positive=True) or value(left, exact) == value(right, exact)


@given(PIECEWISE, st.lists(st.fractions(-5, 5, max_denominator=4), min_size=3, max_size=3))
@settings(max_examples=500)
def test_simplifications_keep_the_value_on_all_rationals(tree: Tree, point: list[Fraction]) -> None:
    """What a form drops without knowing the inputs' roles makes no difference anywhere."""
    form = normalizer().normal(tree)
    atoms = any(index >= 3 for part in (form.numerator, form.denominator) for monomial in part for index, _ in monomial)
    assume(not atoms)
    assert substituted(form, point) == value(tree, point)


@given(PIECEWISE, st.lists(st.integers(1, 9), min_size=3, max_size=3))
@settings(max_examples=500)
def test_simplifications_keep_the_value_on_positive_integers(tree: Tree, point: list[int]) -> None:
    """What a form drops because the inputs are positive integers makes no difference there."""
    form = normalizer(integral=True, positive=True).normal(tree)
    atoms = any(index >= 3 for part in (form.numerator, form.denominator) for monomial in part for index, _ in monomial)
    assume(not atoms)
    exact = [Fraction(number) for number in point]
    assert substituted(form, exact) == value(tree, exact)


def substituted(form: Quotient, point: list[Fraction]) -> Fraction:
    """Evaluate a form without atoms."""
    top, bottom = (
        sum(
            (
                coefficient * math.prod((point[index] ** power for index, power in monomial), start=Fraction(1))
                for monomial, coefficient in part.items()
            ),
            start=Fraction(0),
        )
        for part in (form.numerator, form.denominator)
    )
    return top / bottom


X, Y, Z = INPUTS
DIFFERENT = {
    "a floor": (Term("floor", (Term("/", (X, 2)),)), Term("/", (X, 2))),
    "floors of two quotients": (Term("//", (X, 2)), Term("//", (X, 3))),
    "a floor and a ceiling": (Term("floor", (Term("/", (X, 2)),)), Term("ceil", (Term("/", (X, 2)),))),
    "a product of floors": (Term("*", (Term("//", (X, 2)), 2)), X),
    "a minimum and a maximum": (Term("min", (X, Y)), Term("max", (X, Y))),
    "roundings to other places": (Term("round", (Term("/", (X, 3)), 1)), Term("round", (Term("/", (X, 3)), 2))),
    "a rounding to tens": (Term("round", (X, -1)), X),
    "a rounding and a floor": (Term("round", (Term("/", (X, 2)), 0)), Term("floor", (Term("/", (X, 2)),))),
    "an absolute difference": (Term("abs", (Term("-", (X, Y)),)), Term("-", (X, Y))),
    "a truncated difference": (
        Term("trunc", (Term("/", (Term("-", (X, Y)), 2)),)),
        Term("floor", (Term("/", (Term("-", (X, Y)), 2)),)),
    ),
    "remainders": (Term("%", (X, 3)), Term("%", (Y, 3))),
    "a remainder and its dividend": (Term("%", (X, 100)), X),
    "a maximum with one that may be greater": (Term("max", (X, Term("-", (Y, 1)))), X),
}


@cases("case", DIFFERENT)
def test_different_functions_have_different_forms(case: str) -> None:
    """Positive integers as inputs are no licence to drop what matters."""
    assert not same(*DIFFERENT[case], integral=True, positive=True)


SIGNED = {
    "abs of an input": (Term("abs", (X,)), X),
    "truncation of a half": (Term("trunc", (Term("/", (X, 2)),)), Term("floor", (Term("/", (X, 2)),))),
    "abs of a negative": (Term("abs", (Term("*", (-1, X)),)), X),
    "truncation of a negative half": (Term("trunc", (Term("/", (X, -2)),)), Term("ceil", (Term("/", (X, -2)),))),
    "a floor of an input": (Term("floor", (X,)), X),
    "a rounding of an input": (Term("round", (X, 0)), X),
    "a beaten argument": (Term("max", (X, Term("+", (X, Y)))), Term("+", (X, Y))),
}


@cases("case", SIGNED)
def test_simplifications_need_the_roles_of_the_inputs(case: str) -> None:
    """What holds of positive integers is not taken to hold of all rationals."""
    left, right = SIGNED[case]
    assert (same(left, right, integral=True, positive=True), same(left, right)) == (True, False)


@cases(
    ("divisor", "known"),
    [
        (X, True),
        (Term("+", (X, Y)), True),
        (Term("*", (X, Y)), True),
        (Term("-", (X, Y)), False),
        (Term("-", (X, 1)), False),
        (Term("//", (X, 2)), False),
        (5, True),
    ],
)
def test_only_divisors_that_never_vanish_are_dropped(divisor: Tree, *, known: bool) -> None:
    """A sum of positive inputs never vanishes; a difference, or a floor, may."""
    found = normalizer(integral=True, positive=True).divisor_key(divisor)  # type: ignore[arg-type]  # numbers are allowed here too
    assert (found is None) is known


@pytest.mark.parametrize(
    "divisor", [X, Term("+", (X, Y)), Term("-", (X, Y))], ids=["an input", "a sum", "a difference"]
)
def test_divisors_of_any_sign_are_kept(divisor: Term) -> None:
    """Without positive inputs a divisor is kept, since it may vanish."""
    assert normalizer().divisor_key(divisor) is not None


def test_divisors_with_the_same_zeros_share_a_key() -> None:
    """A factor does not change where a divisor vanishes; another difference does."""
    shared = normalizer()
    keys = [
        shared.divisor_key(term)
        for term in (Term("-", (X, Y)), Term("-", (Y, X)), Term("*", (Term("-", (X, Y)), 3)), Term("-", (X, Z)))
    ]
    assert (keys[0] == keys[1] == keys[2], keys[0] == keys[3]) == (True, False)


@pytest.mark.parametrize(
    "term",
    [Term("/", (X, Term("-", (X, X)))), Term("//", (X, 0)), Term("**", (Term("-", (Y, Y)), -1))],
    ids=["/", "//", "**"],
)
def test_a_division_by_nothing_is_always_undefined(term: Term) -> None:
    """A term that divides by nothing has no form."""
    with pytest.raises(AlwaysUndefinedError):
        normalizer().normal(term)


POLYNOMIALS = st.lists(st.tuples(st.lists(st.integers(0, 2), max_size=3), st.integers(-3, 3)), max_size=4).map(
    lambda terms: _summed(
        [(tuple(sorted((index, numbers.count(index)) for index in set(numbers))), factor) for numbers, factor in terms]
    )
)


def _summed(terms: list[tuple[tuple[tuple[int, int], ...], int]]) -> Polynomial:
    total: Polynomial = {}
    for monomial, factor in terms:
        total = add(total, {monomial: factor} if factor else {})
    return total


@given(POLYNOMIALS, POLYNOMIALS, POLYNOMIALS)
def test_polynomials_are_a_ring(left: Polynomial, middle: Polynomial, right: Polynomial) -> None:
    """Products distribute over sums and commute, and what is taken away cancels."""
    distributed = multiply(left, add(middle, right)) == add(multiply(left, middle), multiply(left, right))
    assert (distributed, multiply(left, right) == multiply(right, left), add(left, left, -1)) == (True, True, {})


@given(POLYNOMIALS, POLYNOMIALS)
def test_no_coefficient_is_zero(left: Polynomial, right: Polynomial) -> None:
    """Equal polynomials are equal dicts because zero terms are dropped."""
    assert all(all(found.values()) for found in (add(left, right, -1), multiply(left, right)))


@given(POLYNOMIALS, st.integers(1, 5))
def test_primitive_forms_forget_factors(polynomial: Polynomial, factor: int) -> None:
    """A multiple has the same primitive form, another polynomial has not."""
    assert primitive(polynomial) == primitive(multiply(polynomial, constant(-factor)))


@given(POLYNOMIALS, st.lists(st.fractions(Fraction(1, 5), 9), min_size=3, max_size=3))
def test_a_known_sign_is_the_sign_of_every_value(polynomial: Polynomial, point: list[Fraction]) -> None:
    """Where the sign is claimed for positive variables, it is the value's."""
    claimed = sign(polynomial, frozenset(range(3)))
    found = substituted(Quotient(polynomial, {(): 1}), point)
    assert claimed == 0 or claimed * found > 0


def test_the_sign_of_what_may_be_negative_is_not_known() -> None:
    """Neither of a variable without a sign, nor of its square, which may be zero."""
    assert [sign(polynomial, frozenset()) for polynomial in (variable(0), multiply(variable(0), variable(0)), {})] == [
        0,
        0,
        0,
    ]


def test_large_products_are_given_up() -> None:
    """More than four hundred terms are not expanded."""
    total: Polynomial = {}
    for index in range(30):
        total = add(total, variable(index))
    with pytest.raises(TooLargeError):
        multiply(total, total)
