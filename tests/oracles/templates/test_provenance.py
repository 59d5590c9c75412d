"""Tests of provenance: an input is refuted exactly if its stated source does not contain it."""

from fractions import Fraction

import pytest

from harness.domain import Evidence, Exact
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.world_facts import KNOWN_CONSTANTS
from oracles.templates.provenance import provenance_evidence
from tests.cases import cases

QUESTION, KNOWLEDGE, UNKNOWN = VariableRole.QUESTION_INPUT, VariableRole.WORLD_KNOWLEDGE_INPUT, VariableRole.INPUT


def evidence(question: str, value: Exact, role: VariableRole, comment: str = "") -> list[Evidence]:
    """Judge one input `x` on L1."""
    return provenance_evidence(question, [TraceEntry("x", value, role, "L1", comment=comment)])


# What a question says, and the values that its numbers can mean.
READINGS: dict[str, set[Exact]] = {
    "48 clips": {48},
    "1,250 clips": {1250},
    "$2.50": {Fraction(5, 2)},
    "25% of them": {Fraction(1, 4), 25},
    "25 percent of them": {Fraction(1, 4), 25},
    "half of them": {Fraction(1, 2), 2, 1},
    "a third of them": {Fraction(1, 3), 3, 1},
    "two-thirds of them": {Fraction(2, 3), 3, 2},
    "3/4 of them": {Fraction(3, 4), 3, 4},
    "1 1/2 cups": {Fraction(3, 2), 1, Fraction(1, 2)},
    "a dozen eggs": {12, 1},
    "two dozen eggs": {24, 2, 12},
    "twice as many": {2},
    "three times as many": {3},
    "forty-eight clips": {48},
    "two hundred and five": {205},
    "2 and a half hours": {Fraction(5, 2), 2, 1},
    "two and a half hours": {Fraction(5, 2), 1},
    "½ cup": {Fraction(1, 2), 2},
    "3 million": {3_000_000, 3},
    "each apple": {1},
    "every day": {1},
    "no number": set(),
}
VALUES: list[Exact] = sorted({value for values in READINGS.values() for value in values} | {5, 17, Fraction(2, 7)})


@cases("words", READINGS)
def test_a_question_input_is_a_reading_of_the_question(words: str) -> None:
    """Of its digits, words, percentages, fractions and groups; every other value is refuted."""
    found = {value for value in VALUES if not evidence(f"Ann sees {words}?", value, QUESTION)}
    assert found == READINGS[words]


def test_a_question_input_away_from_the_question_is_told_with_its_comment() -> None:
    """Both strings are in the finding."""
    assert evidence("5 apples", 7, QUESTION, "7 apples") == [
        Evidence("L1", "not in the question", "x = 7", "a number of the question; the comment quotes '7 apples'")
    ]


def test_without_a_comment_the_finding_expects_a_number() -> None:
    """Without a comment the finding expects a number and quotes nothing."""
    assert evidence("5 apples", Fraction(7, 2), QUESTION) == [
        Evidence("L1", "not in the question", "x = 7/2", "a number of the question")
    ]


def test_world_knowledge_that_the_question_states_is_refuted() -> None:
    """World knowledge that the question states is refuted with the words that state it."""
    assert evidence("They bake 17 loaves", 17, KNOWLEDGE) == [
        Evidence("L1", "mentioned in the question", "x = 17, world knowledge", "'17'")
    ]


def test_world_knowledge_that_the_question_does_not_state_is_fine() -> None:
    """World knowledge that the question does not state is accepted, whatever its value."""
    assert evidence("They bake 17 loaves", 18, KNOWLEDGE) == []


@cases("value", KNOWN_CONSTANTS)
def test_a_known_constant_may_be_in_the_question_too(value: Exact) -> None:
    """Sixty minutes are world knowledge though there are 60 eggs."""
    assert evidence(f"There are {value} of them, or {float(value)}", value, KNOWLEDGE) == []


def test_every_known_constant_says_what_it_is() -> None:
    """Every known constant says in words what it is."""
    assert all(KNOWN_CONSTANTS.values())


def test_an_input_without_provenance_is_refuted() -> None:
    """An input without provenance is refuted even where the question states it."""
    assert evidence("5 apples", 5, UNKNOWN) == [Evidence("L1", "no provenance", "x = 5", "a quoting comment or # WK")]


def test_an_article_is_one_only_where_there_is_one() -> None:
    """The letter `a` within a word is no article."""
    assert (evidence("Ann has a hat", 1, QUESTION), len(evidence("Ann ran fast", 1, QUESTION))) == ([], 1)


@pytest.mark.parametrize("role", [VariableRole.OUTPUT, VariableRole.ANSWER])
def test_what_is_computed_needs_no_provenance(role: VariableRole) -> None:
    """A computed variable needs no provenance."""
    assert evidence("5 apples", 7, role) == []


def test_an_input_without_a_line_is_told_at_a_question_mark() -> None:
    """An input that is on no line, such as a function's argument, is reported at `?`."""
    (found,) = provenance_evidence("5 apples", [TraceEntry("x", 7, QUESTION, None)])
    assert found.line == "?"


def test_findings_are_in_the_order_of_the_inputs() -> None:
    """One an input."""
    entries = [TraceEntry(name, 7, QUESTION, "L1") for name in "abc"]
    assert [evidence.found for evidence in provenance_evidence("5 apples", entries)] == ["a = 7", "b = 7", "c = 7"]
