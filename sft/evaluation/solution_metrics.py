"""The metrics of verifiers: figures by dataset, and McNemar's test of each pair of engines."""

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np

from harness.json_form import json_form
from harness.records.verifier import EngineComparison, EngineFigures
from sft.evaluation.dataset_items import EvaluationItem, datasets_of
from sft.evaluation.metrics import (
    Column,
    JudgedItem,
    Measures,
    OutcomeCounts,
    calibration_error,
    class_accuracy,
    macro_f1,
    mcnemar,
    ratio,
    share_of,
    weighted_f1,
)
from sft.samples.outcomes import CLASSES, NO_CLASS, SAID, EvaluationOutcome, gold_of, read_prediction

Answers = dict[tuple[str, str], dict[str, Any]]
ALL = "all"
_VERDICTS = {False: "correct", True: "flawed", None: "none"}


def process_f1(totals: OutcomeCounts) -> Column:
    """Return the harmonic mean of first-error-line accuracy on flawed and accuracy on sound solutions.

    Source: Zheng et al., ProcessBench, arXiv 2412.06559.
    """
    line = ratio(totals["line right"], totals["line n"])
    said = [totals[f"verdict correct {verdict}"] for verdict in _VERDICTS.values()]
    sound = ratio(said[0], np.sum(said, axis=0))
    mean: Column = 2 * line * sound / np.maximum(1e-9, line + sound)
    return mean


MEASURES = Measures(
    {
        "verdict_accuracy": ("n", share_of("right", "n")),
        "weighted_f1": ("classed", weighted_f1),
        "macro_f1": ("classed", macro_f1),
        "class_accuracy": ("classed", class_accuracy),
        "coarse_type_accuracy": ("class n", share_of("class right", "class n")),
        "fine_type_accuracy": ("fine n", share_of("fine right", "fine n")),
        "line_accuracy": ("line n", share_of("line right", "line n")),
        "coarse_type_accuracy_if_found": ("class found", share_of("class right", "class found")),
        "fine_type_accuracy_if_found": ("fine found", share_of("fine right", "fine found")),
        "line_accuracy_if_found": ("line found", share_of("line right", "line found")),
        "process_f1": ("line n", process_f1),
        "json_validity": ("n", share_of("valid", "n")),
        "calibration_error": ("stated", calibration_error),
        "brier": ("stated", share_of("square", "stated")),
    },
    CLASSES,
    SAID,
)
"""Accuracies of type and line count all flawed items, with the verdict `Correct` as wrong; those with `_if_found` count the items
that were judged flawed."""


def judged_items(outcomes: Sequence[EvaluationOutcome]) -> list[JudgedItem]:
    """Return the outcomes as metrics count them; correct ones have a class where flawed ones of their dataset have one.

    Elsewhere the correct solutions alone would fill the table of classes.
    """
    classed = {outcome.dataset for outcome in outcomes if gold_of(outcome.sample.truth) in CLASSES[1:]}
    judged = []
    for outcome in outcomes:
        truth, prediction, gold = outcome.sample.truth, outcome.prediction, gold_of(outcome.sample.truth)
        sums: dict[str, float] = {
            "valid": prediction.valid,
            f"verdict {_VERDICTS[bool(truth.flawed)]} {_VERDICTS[prediction.flawed]}": 1,
            **(_sums_of_error(outcome, gold) if truth.flawed else {}),
        }
        judged.append(
            JudgedItem(
                f"{outcome.dataset}\n{outcome.sample.problem_id}",
                gold if gold != NO_CLASS and outcome.dataset in classed else "",
                prediction.said,
                prediction.flawed == truth.flawed,
                prediction.confidence,
                prediction.seconds,
                sums,
            )
        )
    return judged


def _sums_of_error(outcome: EvaluationOutcome, gold: str) -> dict[str, float]:
    truth, prediction, found = outcome.sample.truth, outcome.prediction, bool(outcome.prediction.flawed)
    sums: dict[str, float] = {}
    for what, known, is_right in (
        ("class", gold != NO_CLASS, prediction.said == gold),
        ("fine", truth.error_type, prediction.error_type == truth.error_type),
        ("line", truth.line, prediction.line == truth.line),
    ):
        if known:
            sums |= {f"{what} n": 1, f"{what} right": found and is_right, f"{what} found": found}
    named = truth.error_type or (gold if gold != NO_CLASS else "")
    if named:
        sums |= {f"type {named} {name}": value for name, value in sums.items()}
        sums |= {f"type {named} n": 1, f"type {named} found": found}
    return sums


def outcomes_of(items: Sequence[EvaluationItem], answers: Answers) -> list[EvaluationOutcome]:
    """Return the items with their answers."""
    return [EvaluationOutcome(item.dataset, item.sample, read_prediction(answers[item.key])) for item in items]


def _by_dataset(items: Sequence[EvaluationItem]) -> dict[str, list[EvaluationItem]]:
    """Return the items by dataset and, if there are several datasets, all of them."""
    parts = {name: [item for item in items if item.dataset == name] for name in datasets_of(items)}
    return parts if len(parts) == 1 else {**parts, ALL: list(items)}


def figures(
    items: Sequence[EvaluationItem], engines: Mapping[str, Answers], *, rounds: int, seed: int
) -> list[EngineFigures]:
    """Return the metrics of each engine on each dataset and, if there are several datasets, on all of them."""
    parts = _by_dataset(items).items()
    return [
        MEASURES.figures(
            judged_items(outcomes_of(part, answers)), engine=name, dataset=dataset, rounds=rounds, seed=seed
        )
        for name, answers in engines.items()
        for dataset, part in parts
    ]


def comparisons(items: Sequence[EvaluationItem], engines: Mapping[str, Answers]) -> list[dict[str, Any]]:
    """Return McNemar's exact test of each pair of engines, on verdicts and, if known, on the three classes."""
    rows: list[EngineComparison] = []
    for dataset, part in _by_dataset(items).items():
        right: dict[tuple[str, str], list[bool]] = {}
        for name, answers in engines.items():
            judged = judged_items(outcomes_of(part, answers))
            right[name, "verdict"] = [item.right for item in judged]
            right[name, "class"] = [item.said == item.gold for item in judged if item.gold]
        for (name, other), of in product(permutations(engines, 2), ("verdict", "class")):
            ours, theirs = right[name, of], right[other, of]
            rows.append(
                EngineComparison(
                    dataset=dataset, engine=name, baseline=other, of=of, items=len(ours), **mcnemar(ours, theirs)
                )
            )
    return list(map(json_form, rows))
