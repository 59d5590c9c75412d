"""Tests of unit conversion steps: they are recognised, and the tables of factors and facts are consistent."""

import pytest
from hypothesis import given, strategies as st

from generators.flaws.knowledge.conversion_steps import CONFUSED, FACTORS, conversions
from generators.flaws.knowledge.world_knowledge import fact_of
from generators.flaws.operators.input_misrepresentation import misreadings
from generators.flaws.solution.example_solutions import example_source
from harness.domain import Exact
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.world_facts import FACTS, WorldFact
from tests.cases import cases

REST = "\n# L2\nfriends = 4 # 4 friends\nrest = found / friends"


def found_in(code: str) -> list[tuple[str, str, str]]:
    """Return the conversions of the step `found`: operator and units."""
    return [
        (conversion.operator, conversion.small, conversion.large)
        for conversion in conversions(example_source(code + REST), "found")
    ]


@cases(
    ("code", "expected"),
    [
        ("# L1\\nh = 2 # 2 hours\\nminutes_per_hour = 60\\nfound = h * minutes_per_hour", [("*", "minute", "hour")]),
        ("# L1\\nm = 120 # 120 minutes\\nfactor = 60 # 60 minutes in an hour\\nfound = m / factor", [("/", "minute", "hour")]),
        ("# L1\\nm = 48 # 48 eggs\\ndozen = 12 # WK\\nfound = m / dozen", [("/", "item", "dozen")]),
        ("# L1\\nh = 2 # 2 hours\\nhours_per_day = 8 # 8 hours a day\\nfound = h * hours_per_day", []),
        ("# L1\\ndays = 5 # 5 days a week\\nweeks = 7 # for 7 weeks\\nfound = days * weeks", []),
        ("# L1\\nm = 60 # 60 minutes\\nn = 24 # 24 hours\\nfound = m + n", []),
        ("# L1\\nfeet = 6 # 6 feet\\ninches_per_foot = 12\\nextra = 4 # 4\\nfound = feet * inches_per_foot + extra", [("*", "inch", "foot")]),
    ],
)  # fmt: skip
def test_conversions_are_found(code: str, expected: list[tuple[str, str, str]]) -> None:
    """A factor is recognised by name, comment or place in an expression; a number that happens to be one is not."""
    assert found_in(code.replace("\\n", "\n")) == expected


def test_each_factor_has_others_it_is_confused_with() -> None:
    """For every pair of units, and never the right factor itself."""
    assert CONFUSED.keys() == FACTORS.keys()
    assert [pair for pair in FACTORS if set(CONFUSED[pair]) & set(FACTORS[pair])] == []


@cases("fact", [pytest.param(fact, id=f"{fact.says} {fact.value}") for fact in FACTS if fact.wrong])
def test_facts_are_misremembered_in_their_own_way(fact: WorldFact) -> None:
    """No fact is taken for itself, nor for a value that only a confusion of units gives."""
    assert fact.alternatives
    assert fact.value not in fact.wrong
    assert "{}" in fact.says
    for alternative in fact.alternatives:
        for pair, factors in FACTORS.items():
            if set(pair) <= alternative and fact.value in factors:
                assert not set(fact.wrong) & set(CONFUSED[pair])


def entry(variable: str, value: Exact, comment: str = "") -> TraceEntry:
    """Return an input of world knowledge."""
    return TraceEntry(variable, value, VariableRole.WORLD_KNOWLEDGE_INPUT, "L1", comment=comment)


def test_a_fact_is_known_by_value_and_words() -> None:
    """Twelve is known as a dozen only where the words say so."""
    assert fact_of(entry("eggs_per_dozen", 12)).wrong[:2] == (10, 13)
    assert fact_of(entry("days_in_week", 7)).said(7) == "a week has 7 days"
    assert fact_of(entry("twelve_eggs", 12)) is None
    assert fact_of(entry("eggs_per_dozen", 10)) is None


@given(st.integers(0, 10**9) | st.fractions(0, 1000, max_denominator=100))
def test_a_number_is_never_misread_as_itself(value: Exact) -> None:
    """Nor as nothing, nor as less; a share stays less than one, and no value is found twice."""
    found = [misreading for misreading, _ in misreadings(value)]
    assert value not in found
    assert len(found) == len(set(found))
    assert all(factor > 0 for factor in found)
    assert not 0 < value < 1 or all(factor < 1 for factor in found)
