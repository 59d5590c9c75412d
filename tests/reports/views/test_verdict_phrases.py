"""Tests of verdict phrases: counterexamples, confidence scores and hostile text are put into clear words."""

import re
from collections.abc import Mapping

import pytest

from harness.domain import Counterexample, Status, Verdict
from harness.json_form import read_record
from harness.records.formalization import ConsensusRecord, Dissenter
from reports.views.formalization_counts import ProblemCounts, ProblemOutcome, is_mostly_frozen
from reports.views.verdict_phrases import (
    confidence_sentence,
    counterexample_sentence,
    dissent_reason,
    doubt,
    method_phrase,
)

VALUES = {"a": "3", "b": "1/2"}


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"a|a": "3", "b|b": "1"}, "with b = 1 and everything else as in the problem: left 7, right 5"),
        ({"b|b": "1"}, "with b = 1 and everything else as in the problem: left 7, right 5"),
        ({"a|a": "1", "b|b": "1"}, "with a = 1, b = 1: left 7, right 5"),
        ({"a|a": "6/2", "b|b": "0.5"}, "with the problem's own values: left 7, right 5"),
        ({"a|x": "1", "b|b": "1"}, "with a (right: x) = 1, b = 1: left 7, right 5"),
    ],
)
def test_counterexample_names_only_what_changed(inputs: dict[str, str], sentence: str) -> None:
    """Inputs as in the problem, however they are written, are not repeated."""
    counterexample = Counterexample(inputs, left="7", right="5")
    assert counterexample_sentence(counterexample, left_values=VALUES, right_values=VALUES) == sentence


def consensus(**changes: object) -> ConsensusRecord:
    """Return the consensus of a clique of three with scores 0.5, 0.7 and 0.9."""
    pairs = [("a", "b", 0.5), ("a", "c", 0.7), ("b", "c", 0.9), ("c", "d", 0.1)]
    record = {
        "problem_id": "p",
        "clique": ["a", "b", "c"],
        "clique_size": 3,
        "confidence": 0.77,
        "oracle": "a",
        "dissenters": [],
        "pairs": [{"left": left, "right": right, "score": score} for left, right, score in pairs],
    }
    return read_record(ConsensusRecord, {**record, **changes})


def test_confidence_is_explained_by_the_pairs_of_the_clique() -> None:
    """The mean counts pairs within the clique only; what remains is the factor of its size."""
    sentence = "0.770 = 0.700, the mean score of the clique's 3 pairs, times 1.10 for a clique of 3"
    assert confidence_sentence(consensus()) == sentence


@pytest.mark.parametrize("pairs", [[], [{"left": "a", "right": "b", "score": 0.0}]])
def test_confidence_without_scores_divides_by_nothing(pairs: list[object]) -> None:
    """A clique without scored pairs, or with zero scores, is said to be so."""
    assert confidence_sentence(consensus(pairs=pairs, confidence=0.0)).startswith("0.000: ")


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (ProblemCounts(), "no model answered"),
        (ProblemCounts(responses=2, unreadable_because="syntax-error"), "none of 2 responses could be read"),
        (ProblemCounts(responses=2, readable=2), "none of 2 readable programs passed UT-1"),
        (ProblemCounts(responses=2, readable=2, accepted=1), "only one of 2"),
        (ProblemCounts(responses=2, readable=2, accepted=2, refuted=1), "no two of 2 .* were proved equivalent"),
    ],
)
def test_problem_without_oracle_says_why(counts: ProblemCounts, words: str) -> None:
    """The first step of the funnel that nobody passed is the reason."""
    assert re.search(words, doubt(consensus(oracle=None), counts, ProblemOutcome.NO_ORACLE))


def test_an_answer_below_zero_is_the_reason_where_all_agree() -> None:
    """What makes an oracle improbable although its clique is whole is said, unless the gold answer is known."""
    counts = ProblemCounts(responses=2, readable=2, not_positive={"ada": "-200"})
    agreed = {"oracle": "ada", "p_right": 0.36}
    words = "the answer is -200, and an answer is seldom zero or less"
    assert words in doubt(consensus(**agreed, p_right_basis="agreement"), counts, ProblemOutcome.UNANIMOUS)
    assert words not in doubt(consensus(**agreed, p_right_basis="gold_answer"), counts, ProblemOutcome.UNANIMOUS)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"reason": "timeout", "against": "a"}, "timeout"),
        ({"against": "a", "counterexample": {"inputs": {}, "left": "7", "right": "5"}}, "counterexample against a"),
        ({"against": "a"}, "not proved equivalent to a"),
        ({}, "no reason given"),
    ],
)
def test_dissent_has_a_reason(more: Mapping[str, object], words: str) -> None:
    """A dissenter without a written reason is explained by its counterexample, or by the lack of a proof."""
    absent = {"against": None, "reason": None, "counterexample": None}
    assert dissent_reason(read_record(Dissenter, {"model": "d", **absent, **more})) == words


@pytest.mark.parametrize(
    ("frozen", "phrase", "mostly"),
    [
        (0, "smt, 9 checked", False),
        (1, "smt, 9 checked, 1 of 5 inputs frozen", False),
        (2, "smt, 9 checked, 2 of 6 inputs frozen", True),
        (None, "smt, 9 checked", False),
    ],
)
def test_frozen_inputs_stand_beside_the_method(
    frozen: int | None, phrase: str, mostly: bool
) -> None:  # a column of the table
    """The phrase counts the inputs of both programs; a verdict with as many frozen inputs as aligned pairs is mostly frozen."""
    domain = {"a": "integers >= 1", "b": "integers >= 1"}
    verdict = Verdict("ut3", "p", "l", "r", Status.CONFIRMED, "smt", 9, domain=domain, frozen=frozen)
    assert (method_phrase(verdict), is_mostly_frozen(verdict)) == (phrase, mostly)
