"""Tests of input domains: each input has the domain of its role, and a joint domain is the intersection of both sides."""

from fractions import Fraction
from random import Random

from hypothesis import given, settings, strategies as st

from harness.domain import Parameter, Provenance
from oracles.equivalence.counterexample_search import random_value
from oracles.equivalence.input_domain import InputDomain, domain_of, joint_domain, share_cap
from tests.cases import cases, rows, texts

DOMAINS = {
    **{
        (name, Fraction(value), kind, ""): domain
        for name, value, kind, domain in rows("""apples → 5 → int → integers >= 1 | price → 5/2 → int → rationals > 0 | apples → 0 → int → integers >= 0
balance → 0 → float → rationals >= 0 | floor → -3 → int → integers <= -1
temperature → -3/2 → float → rationals < 0 | fraction_sold → 1/3 → float → rationals > 0, <= 1 (<= 1 is guessed)
sold_fraction → 1/3 → float → rationals > 0, <= 1 (<= 1 is guessed)
share_of_price → 1/4 → float → rationals > 0, <= 1 (<= 1 is guessed)
discount_percent → 20 → int → integers >= 1, <= 100 (<= 100 is guessed)
percent → 1/5 → float → rationals > 0, <= 1 (<= 1 is guessed) | share_price → 1/2 → float → rationals > 0
fraction_times → 3/2 → float → rationals > 0 | percent_total → 100 → int → integers >= 1
people_at_50_percent → 40 → int → integers >= 1 | years_before_5pct → 20 → int → integers >= 1""")
    },
    ("students", 40, "int", "40 students, 50% of them girls"): "integers >= 1",
    (f"a_{'1' * 5_000}_percent", 40, "int", ""): "integers >= 1, <= 100 (<= 100 is guessed)",
    ("quarters", 4, "int", "quarters in a dollar"): "integers >= 1",
    ("percent", 20, "int", "prices rise by 20%"): "integers >= 1",
    ("fraction_of_jacob", Fraction(2, 3), "float", "two thirds as high as Jacob"): "rationals > 0",
}
GROWTH = ("increase", "raise", "growth", "markup", "interest", "gain", "tip", "tax", "bonus", "more_than", "inflation")
NOUNS = ("people", "girls", "bags", "weight", "students", "price", "miles", "pies", "hours", "boxes", "cards")
HEDGES = (
    *texts("""half of them were sold | a third of the {} | 50% of the {} are red | one quarter of these
the percentage of {} | a fraction of {} | share it with {} | two fifths, or 40 percent, of the {}"""),
)
ORDINALS = ("third", "half", "quarter", "fifth", "tenth", "total", "first", "other")


def parameter(name: str, value: int | Fraction, kind: str, comment: str = "") -> Parameter:
    """Return a parameter."""
    return Parameter(name, value, kind, Provenance.QUESTION, comment, 1)


@cases("number", range(len(DOMAINS)))
def test_a_role_gives_a_domain(number: int) -> None:
    """Sign, integrality and range follow from type, value and the input's own name."""
    role, expected = list(DOMAINS.items())[number]
    assert str(domain_of(parameter(*role))) == expected


COUNTS = st.one_of(st.integers(1, 500), st.fractions(0, 500, max_denominator=8).filter(bool))


@given(st.sampled_from(ORDINALS), st.sampled_from(NOUNS), st.sampled_from(HEDGES), COUNTS)
def test_a_word_of_share_in_the_comment_or_an_ordinal_caps_nothing(
    ordinal: str, noun: str, hedge: str, value: int | Fraction
) -> None:
    """A quantity of its own name is unbounded, whatever its comment says of halves and percentages of something."""
    for name in (f"{ordinal}_{noun}", f"{noun}_{ordinal}", noun):
        assert joint_domain(*[parameter(name, value, "float", hedge.format(noun))] * 2).high is None


@given(
    st.sampled_from(GROWTH),
    st.sampled_from(("percent_{}", "{}_percent", "{}_percentage", "fraction_{}", "{}_fraction")),
    COUNTS,
)
def test_what_may_exceed_the_whole_is_never_capped(growth: str, form: str, value: int | Fraction) -> None:
    """An increase, also one that only the comment names or only the other side, may be more than 100%."""
    plain = form.format("girls")
    for own, comment, other in (
        (form.format(growth), "", plain),
        (plain, f"a {growth.replace('_', ' ')} of some percent", plain),
        (plain, "", form.format(growth)),
    ):
        sides = parameter(own, value, "float", comment), parameter(other, value, "float")
        assert joint_domain(*sides).high is None


@given(
    st.sampled_from(("discount", "girls", "sold", "red", "eaten", "attendance", "remaining")),
    st.sampled_from(("percent_{}", "{}_percent", "{}Percentage", "pct_{}")),
    COUNTS,
)
def test_a_percentage_is_capped_at_the_whole_that_its_value_says(name: str, form: str, value: int | Fraction) -> None:
    """Below 1 a percentage is written as a fraction, below 100 as a percentage, and from 100 on it is no share."""
    expected = Fraction(1) if value < 1 else Fraction(100) if value < 100 else None
    assert share_cap(parameter(form.format(name), value, "float")) == expected


VALUES = st.one_of(st.integers(-1000, 1000), st.fractions(-1000, 1000, max_denominator=60))
KINDS = st.sampled_from(["int", "float"])
NAMES = st.sampled_from(["x", "percent", "half", "fraction_of_cake", "percent_increase", "share_price"])


@given(VALUES, st.tuples(NAMES, KINDS, st.booleans()), st.tuples(NAMES, KINDS, st.booleans()))
@settings(max_examples=300)
def test_a_joint_domain_holds_the_problems_own_value(
    value: int | Fraction, left: tuple[str, str, bool], right: tuple[str, str, bool]
) -> None:
    """Whatever the names and types of both sides, the value that the problem states is in their domain, and the sides may change places."""
    sides = [
        parameter(name, Fraction(value) if as_float else value, kind, "half of it")
        for name, kind, as_float in (left, right)
    ]
    assert value in joint_domain(*sides)
    assert joint_domain(*sides) == joint_domain(*reversed(sides))


BOUNDS = st.one_of(st.none(), st.integers(-5, 5).map(Fraction), st.fractions(-5, 5, max_denominator=3))
ANY_DOMAIN = st.builds(InputDomain, st.booleans(), BOUNDS, BOUNDS, st.booleans(), st.booleans())
POINTS = st.one_of(st.integers(-6, 6).map(Fraction), st.fractions(-6, 6, max_denominator=6))


@given(ANY_DOMAIN, ANY_DOMAIN, POINTS)
@settings(max_examples=300)
def test_an_intersection_holds_what_both_hold(left: InputDomain, right: InputDomain, value: Fraction) -> None:
    """What both sides allow, and nothing else, is in the intersection, whichever side comes first."""
    assert (value in left.intersection(right)) == (value in left and value in right)
    assert right.intersection(left) == left.intersection(right)


@given(ANY_DOMAIN, POINTS)
def test_a_positive_domain_holds_positive_numbers_only(domain: InputDomain, value: Fraction) -> None:
    """`positive` is claimed only where no other value is allowed."""
    assert not domain.positive or value not in domain or value > 0


@cases("number", range(len(DOMAINS)))
def test_drawn_values_are_of_the_domain(number: int) -> None:
    """A random search never leaves the domain."""
    domain = domain_of(parameter(*list(DOMAINS)[number]))
    assert all(random_value(domain, size, Random(f"{number}:{size}")) in domain for size in (5, 20, 100, 1000))
