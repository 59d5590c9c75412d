"""Tests of the verifier metrics: they equal their definitions and the results of other libraries."""

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from harness.json_form import json_form
from harness.records.verifier import Latency
from harness.solution.labels import ErrorClass
from sft.evaluation.dataset_items import EvaluationItem, SolutionItem
from sft.evaluation.metrics import JudgedItem, OutcomeCounts, latency, mcnemar
from sft.evaluation.solution_evaluation import MEASURES, SAID, SolutionRun, class_of, gold_of
from sft.samples.items import Sample, Truth

TRUTHS = [
    Truth(flawed=False),
    Truth(flawed=True, error_class=ErrorClass.COMPUTATIONAL, error_type="computational_error", line="L1"),
    Truth(flawed=True, error_class=ErrorClass.CONCEPTUAL, error_type="operator_swap", line="L2"),
    Truth(flawed=True, error_class=ErrorClass.SKIPPED_STEP, error_type="skipped_step", line="FA"),
]
SPOKEN = [
    ("correct", "", ""),
    *((said, kind, line) for said in SAID[1:] for kind in ("operator_swap", "") for line in ("L1", "FA")),
]


Outcome = tuple[SolutionItem, dict[str, Any]]


def outcome(place: int, truth: Truth, said: tuple[str, str, str], confidence: float | None, problem: int) -> Outcome:
    """Return an item of a small sample with its answer."""
    sample = Sample(f"s{place}", f"p{problem}", "q", "1\n#### 1", truth, "test", "none")
    details = {"error_type": said[1], "erroneous_line_number": said[2]} if said[0] != "correct" else None
    verdict = {"verdict": "Flawed" if details else "Correct", "error_class": said[0], "error_details": details}
    return EvaluationItem("d", sample), {**verdict, "confidence": confidence, "valid": place % 3 > 0}


@st.composite
def judged(draw: st.DrawFn) -> list[Outcome]:
    """Draw outcomes of a few problems."""
    parts = st.tuples(st.sampled_from(TRUTHS), st.sampled_from(SPOKEN), st.floats(0, 1), st.integers(0, 6))
    return [outcome(place, *part) for place, part in enumerate(draw(st.lists(parts, min_size=1, max_size=40)))]


def counted(outcomes: Sequence[Outcome]) -> list[JudgedItem]:
    """Return outcomes as metrics count them."""
    return SolutionRun.judged_items([item for item, _ in outcomes], {item.key: answer for item, answer in outcomes})


def value(name: str, outcomes: Sequence[Outcome]) -> float:
    """Return one metric."""
    return float(MEASURES.metrics[name][1](OutcomeCounts.of(counted(outcomes)).total())[0])


@given(judged())
@settings(max_examples=25)
def test_f1_is_that_of_scikit_learn(outcomes: list[Outcome]) -> None:
    """Weighted F1 and macro F1 over the classes that occur agree with an independent implementation."""
    from sklearn.metrics import f1_score

    gold = [gold_of(item.sample.truth) for item, _ in outcomes]
    said = [class_of(answer["error_class"]) if answer["error_details"] else "correct" for _, answer in outcomes]
    if not any(item.sample.truth.flawed for item, _ in outcomes):
        assert math.isnan(value("weighted_f1", outcomes))
        return
    for name, average in (("weighted_f1", "weighted"), ("macro_f1", "macro")):
        expected = f1_score(gold, said, labels=sorted(set(gold)), average=average, zero_division=0)
        assert value(name, outcomes) == pytest.approx(expected, abs=1e-6)


@given(judged())
@settings(max_examples=20)
def test_brier_and_accuracy_are_their_definitions(outcomes: list[Outcome]) -> None:
    """The Brier score is scikit-learn's of the probability of `Flawed`; accuracy counts right verdicts."""
    from sklearn.metrics import brier_score_loss

    truth = [item.sample.truth.flawed for item, _ in outcomes]
    verdicts = [answer["verdict"] == "Flawed" for _, answer in outcomes]
    flawed = [
        p if own else 1 - p for (_, answer), own in zip(outcomes, verdicts, strict=True) for p in [answer["confidence"]]
    ]
    assert value("brier", outcomes) == pytest.approx(brier_score_loss(truth, flawed, pos_label=True), abs=1e-9)
    assert value("verdict_accuracy", outcomes) == pytest.approx(np.equal(truth, verdicts).mean())


def test_known_figures() -> None:
    """Four solutions, two judged rightly, give the figures that one can count on fingers."""
    said = [("correct", "", ""), ("computational_error", "", "L1")] * 2
    outcomes = [outcome(place, TRUTHS[place], said[place], 0.75, place) for place in range(4)]
    expected = {
        "verdict_accuracy": 3 / 4,
        "line_accuracy": 1 / 3,
        "line_accuracy_if_found": 1 / 2,
        "coarse_type_accuracy": 1 / 3,
        "class_accuracy": 1 / 2,
        "calibration_error": 0.0,
        "brier": (3 * 0.0625 + 0.5625) / 4,
        "process_f1": 1 / 2,
        "json_validity": 1 / 2,
    }
    assert {name: pytest.approx(value(name, outcomes)) for name in expected} == expected


def test_intervals_hold_the_figure_and_come_again() -> None:
    """A bootstrap by problem is seeded, holds the figure, and is wider where problems repeat than where they do not."""
    draw = random.Random(1)
    truths = [TRUTHS[draw.random() < 0.5] for _ in range(40)]
    rows = [(truth, SPOKEN[0] if draw.random() < 0.7 else SPOKEN[1]) for truth in truths]
    alone = [outcome(place, *row, 0.5, place) for place, row in enumerate(rows * 5)]
    grouped = [outcome(place, *row, 0.5, place % 40) for place, row in enumerate(rows * 5)]
    first, again, wide = (
        json_form(MEASURES.figures(counted(column), rounds=300, seed=3)) for column in (alone, alone, grouped)
    )
    assert first == again
    narrow, broad = (column["metrics"]["verdict_accuracy"] for column in (first, wide))
    assert narrow["low"] <= narrow["value"] <= narrow["high"]
    assert narrow["value"] == broad["value"]
    assert broad["high"] - broad["low"] > 1.5 * (narrow["high"] - narrow["low"])


def test_where_no_class_is_known_no_f1_is_told() -> None:
    """Of solutions whose answer alone was checked, verdicts are scored, classes and lines are not."""
    outcomes = [outcome(0, Truth(flawed=False), SPOKEN[0], None, 0), outcome(1, Truth(flawed=True), SPOKEN[1], None, 1)]
    found = json_form(MEASURES.figures(counted(outcomes), rounds=10))
    told = {name for name, metric in found["metrics"].items() if metric["value"] is not None}
    assert told == {"verdict_accuracy", "json_validity"}
    assert found["verdicts"] == {"correct": {"correct": 1, "flawed": 0}, "flawed": {"correct": 0, "flawed": 1}}


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
@settings(max_examples=25)
def test_mcnemar_is_the_binomial_test_of_disagreements(pairs: list[tuple[bool, bool]]) -> None:
    """The sum of the tail by hand; exchanging the sides changes the counts, not p."""
    ours, theirs = [left for left, _ in pairs], [right for _, right in pairs]
    found, turned = mcnemar(ours, theirs), mcnemar(theirs, ours)
    fewer, more = sorted((found["only_ours"], found["only_theirs"]))
    n = int(fewer + more)
    tail = sum(math.comb(n, k) for k in range(int(fewer) + 1)) / 2**n
    assert found["p"] == pytest.approx(min(1.0, 2 * tail))
    assert (turned["p"], turned["only_ours"]) == (pytest.approx(found["p"]), found["only_theirs"])


def test_latency_is_of_what_was_timed() -> None:
    """The median and the 95th percentile; what was not timed does not count."""
    assert latency([None, 0.1, 0.2, 0.3]) == Latency(0.2, pytest.approx(0.29), 3)
    assert latency([None]) == Latency(None, None, 0)
