"""Tests of input domains: each input has the domain of its role, and a joined domain contains both of its parts."""

from fractions import Fraction
from random import Random

from hypothesis import given, strategies as st

from harness.domain import Parameter, Provenance
from oracles.equivalence.counterexample_search import _draw
from oracles.equivalence.input_domain import InputDomain, domain_of
from tests.cases import cases

DOMAINS = {
    ("apples", 5, "int", ""): "integers >= 1",
    ("apples", Fraction(5), "float", ""): "rationals > 0",
    ("price", Fraction(5, 2), "float", ""): "rationals > 0",
    ("apples", 0, "int", ""): "integers >= 0",
    ("balance", Fraction(0), "float", ""): "rationals >= 0",
    ("floor", -3, "int", ""): "integers <= -1",
    ("temperature", Fraction(-3, 2), "float", ""): "rationals < 0",
    ("fraction_sold", Fraction(1, 3), "float", ""): "rationals > 0, <= 1",
    ("sold", Fraction(1, 2), "float", "she sold half"): "rationals > 0, <= 1",
    ("share", Fraction(1), "float", ""): "rationals > 0, <= 1",
    ("fraction_times", Fraction(3, 2), "float", ""): "rationals > 0",
    ("percent_off", 20, "int", ""): "integers >= 1, <= 100",
    ("off", Fraction(20), "float", "20% off"): "rationals > 0, <= 100",
    ("percent_increase", 150, "int", ""): "integers >= 1",
    ("percent", Fraction(1, 5), "float", ""): "rationals > 0, <= 1",
    ("quarters", 4, "int", "quarters in a dollar"): "integers >= 1",
    ("portion", 3, "int", ""): "integers >= 1",
}


def parameter(name: str, value: int | Fraction, kind: str, comment: str) -> Parameter:
    """Return a parameter."""
    return Parameter(name, value, kind, Provenance.QUESTION, comment, 1)


@cases("number", range(len(DOMAINS)))
def test_a_role_gives_a_domain(number: int) -> None:
    """Sign, integrality and range follow from type, value and words."""
    role, expected = list(DOMAINS.items())[number]
    assert str(domain_of(parameter(*role))) == expected


@given(
    st.one_of(st.integers(-1000, 1000), st.fractions(-1000, 1000, max_denominator=60)),
    st.sampled_from(["int", "float"]),
    st.sampled_from(["", "percent", "half", "fraction of"]),
)
def test_a_domain_holds_the_problems_own_value(value: int | Fraction, kind: str, comment: str) -> None:
    """Whatever the role, the value the problem states is in its domain."""
    kind = "float" if isinstance(value, Fraction) and value.denominator != 1 else kind
    assert value in domain_of(parameter("x", value, kind, comment))


BOUNDS = st.one_of(st.none(), st.integers(-5, 5).map(Fraction), st.fractions(-5, 5, max_denominator=3))
ANY_DOMAIN = st.builds(InputDomain, st.booleans(), BOUNDS, BOUNDS, st.booleans(), st.booleans())
VALUES = st.one_of(st.integers(-6, 6).map(Fraction), st.fractions(-6, 6, max_denominator=6))


@given(ANY_DOMAIN, ANY_DOMAIN, VALUES)
def test_a_joined_domain_holds_both(left: InputDomain, right: InputDomain, value: Fraction) -> None:
    """What either side allows, both together allow."""
    assert value in left.joined(right) or (value not in left and value not in right)


@given(ANY_DOMAIN, ANY_DOMAIN)
def test_joining_is_commutative(left: InputDomain, right: InputDomain) -> None:
    """The order of the sides does not matter."""
    assert left.joined(right) == right.joined(left)


@given(ANY_DOMAIN)
def test_joining_is_idempotent(domain: InputDomain) -> None:
    """A domain joined with itself is itself, but for the openness of a bound that is not there."""
    joined = domain.joined(domain)
    assert (joined.low, joined.high, joined.integral) == (domain.low, domain.high, domain.integral)


@given(ANY_DOMAIN, VALUES)
def test_a_positive_domain_holds_positive_numbers_only(domain: InputDomain, value: Fraction) -> None:
    """`positive` is claimed only where no other value is allowed."""
    assert not domain.positive or value not in domain or value > 0


@cases("number", range(len(DOMAINS)))
def test_drawn_values_are_of_the_domain(number: int) -> None:
    """A random search never leaves the domain."""
    domain = domain_of(parameter(*list(DOMAINS)[number]))
    assert all(_draw(domain, size, Random(f"{number}:{size}")) in domain for size in (5, 20, 100, 1000))
