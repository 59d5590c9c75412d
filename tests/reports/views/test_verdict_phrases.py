"""Tests of verdict phrases: counterexamples, confidence scores and dissents are put into clear words."""

import pytest

from harness.domain import Counterexample, Status, Verdict
from harness.json_form import read_record
from harness.records.formalization import ConsensusRecord, Dissenter
from reports.views.phrases import confidence_sentence, counterexample_sentence, dissent_reason, method_phrase
from tests.cases import cases

VALUES = {"a": "3", "b": "1/2"}


@cases(
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


PAIRS = [("a", "b", 0.5), ("a", "c", 0.7), ("b", "c", 0.9), ("c", "d", 0.1)]


@cases(
    ("pairs", "confidence", "sentence"),
    [
        (PAIRS, 0.77, "0.770 = 0.700, the mean score of the clique's 3 pairs, times 1.10 for a clique of 3"),
        ([], 0.0, "0.000: no pair of the clique was scored"),
        ([("a", "b", 0.0)], 0.0, "0.000: the mean score of the clique's 1 pair is 0"),
    ],
)
def test_confidence_is_explained_by_the_pairs_of_the_clique(
    pairs: list[tuple[str, str, float]], confidence: float, sentence: str
) -> None:
    """The mean counts pairs within the clique only; what remains is the factor of its size; nothing is divided by zero."""
    record = {"problem_id": "p", "clique": ["a", "b", "c"], "clique_size": 3, "confidence": confidence, "oracle": "a"}
    scored = [{"left": left, "right": right, "score": score} for left, right, score in pairs]
    assert confidence_sentence(read_record(ConsensusRecord, {**record, "dissenters": [], "pairs": scored})) == sentence


@cases(
    ("more", "words"),
    [
        ({"reason": "timeout", "against": "a"}, "timeout"),
        ({"against": "a", "counterexample": {"inputs": {}, "left": "7", "right": "5"}}, "counterexample against a"),
        ({"against": "a"}, "not proved equivalent to a"),
        ({}, "no reason given"),
    ],
)
def test_dissent_has_a_reason(more: dict[str, object], words: str) -> None:
    """A dissenter without a written reason is explained by its counterexample, or by the lack of a proof."""
    absent = {"against": None, "reason": None, "counterexample": None}
    assert dissent_reason(read_record(Dissenter, {"model": "d", **absent, **more})) == words


@pytest.mark.parametrize(("frozen", "phrase"), [(0, ""), (1, ", 1 of 5 inputs frozen"), (None, "")])
def test_frozen_inputs_stand_beside_the_method(frozen: int | None, phrase: str) -> None:
    """The phrase counts the inputs of both programs."""
    domain = {"a": "integers >= 1", "b": "integers >= 1"}
    verdict = Verdict("ut3", "p", "l", "r", Status.CONFIRMED, "smt", 9, domain=domain, frozen=frozen)
    assert method_phrase(verdict) == f"smt, 9 checked{phrase}"
