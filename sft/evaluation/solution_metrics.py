"""The metrics of verifiers: figures by dataset, and McNemar's test of each pair of engines."""

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np

from harness.json_form import json_form
from harness.records.verifier import EngineComparison, EngineFigures
from harness.solution.labels import FLAWED, ErrorClass, named_error_type
from sft.evaluation import metrics
from sft.evaluation.dataset_items import EvaluationItem, datasets_of
from sft.samples.items import Truth
from sft.samples.solution_judgement import Judgement

RIGHT = "correct"
NO_CLASS = "none"
CLASSES = (RIGHT, str(ErrorClass.COMPUTATIONAL), str(ErrorClass.CONCEPTUAL))
"""The classes of the examination; a skipped step counts as conceptual."""
SAID = (*CLASSES, NO_CLASS)
Answers = dict[tuple[str, str], dict[str, Any]]
ALL = "all"
_VERDICTS = {False: "correct", True: "flawed", None: "none"}


def process_f1(totals: metrics.OutcomeCounts) -> metrics.Column:
    """Return the harmonic mean of first-error-line accuracy on flawed and accuracy on sound solutions.

    Source: Zheng et al., ProcessBench, arXiv 2412.06559.
    """
    line = metrics.ratio(totals["line right"], totals["line n"])
    said = [totals[f"verdict correct {verdict}"] for verdict in _VERDICTS.values()]
    sound = metrics.ratio(said[0], np.sum(said, axis=0))
    mean: metrics.Column = 2 * line * sound / np.maximum(1e-9, line + sound)
    return mean


MEASURES = metrics.Measures(
    {
        "verdict_accuracy": ("n", metrics.share_of("right", "n")),
        "weighted_f1": ("classed", metrics.weighted_f1),
        "macro_f1": ("classed", metrics.macro_f1),
        "class_accuracy": ("classed", metrics.class_accuracy),
        "coarse_type_accuracy": ("class n", metrics.share_of("class right", "class n")),
        "fine_type_accuracy": ("fine n", metrics.share_of("fine right", "fine n")),
        "line_accuracy": ("line n", metrics.share_of("line right", "line n")),
        "coarse_type_accuracy_if_found": ("class found", metrics.share_of("class right", "class found")),
        "fine_type_accuracy_if_found": ("fine found", metrics.share_of("fine right", "fine found")),
        "line_accuracy_if_found": ("line found", metrics.share_of("line right", "line found")),
        "process_f1": ("line n", process_f1),
        "json_validity": ("n", metrics.share_of("valid", "n")),
        "calibration_error": ("stated", metrics.calibration_error),
        "brier": ("stated", metrics.share_of("square", "stated")),
    },
    CLASSES,
    SAID,
)
"""Accuracies of type and line count all flawed items, with the verdict `Correct` as wrong; those with `_if_found` count the items
that were judged flawed."""


def class_of(error_class: str | None) -> str:
    """Return one of `SAID` for the coarse class that an answer or a label names."""
    if error_class == ErrorClass.SKIPPED_STEP:
        return str(ErrorClass.CONCEPTUAL)
    return error_class if error_class in CLASSES[1:] else NO_CLASS


def gold_of(truth: Truth) -> str:
    """Return the class of a sample, `NO_CLASS` for a flawed sample of unknown class."""
    return class_of(truth.error_class) if truth.flawed else RIGHT


def answer_record(judgement: Judgement, *, seconds: float | None) -> dict[str, Any]:
    """Return the stored form of a judgement: its JSON form, whether it is valid, and the seconds that it took."""
    record = judgement.record()
    return {**record, "valid": judgement.valid, "seconds": None if seconds is None else round(seconds, 6)}


def judged_items(items: Sequence[EvaluationItem], answers: Answers) -> list[metrics.JudgedItem]:
    """Return items with their answers as metrics count them; correct ones have a class where flawed ones of their dataset have one.

    Elsewhere the correct solutions alone would fill the table of classes.
    """
    classed = {item.dataset for item in items if gold_of(item.sample.truth) in CLASSES[1:]}
    return [_judged_item(item, answers[item.key], classed=item.dataset in classed) for item in items]


def _judged_item(item: EvaluationItem, answer: Mapping[str, Any], *, classed: bool) -> metrics.JudgedItem:
    """Return an item as metrics count it; an answer without a verdict is never right. Earlier releases kept answers that say less."""
    truth, gold, verdict = item.sample.truth, gold_of(item.sample.truth), answer["verdict"]
    flawed = None if verdict is None else verdict == FLAWED
    said = NO_CLASS if flawed is None else class_of(answer.get("error_class")) if flawed else RIGHT
    details = answer.get("error_details") or {}
    known_gold = gold if gold != NO_CLASS else ""
    sums: dict[str, float] = {}
    for what, known, is_right in (
        ("class", known_gold, said == gold),
        ("fine", truth.error_type, named_error_type(details.get("error_type")) == truth.error_type),
        ("line", truth.line, details.get("erroneous_line_number") == truth.line),
    ):
        if truth.flawed and known:
            sums |= {f"{what} n": 1, f"{what} right": bool(flawed) and is_right, f"{what} found": bool(flawed)}
    if truth.flawed and (named := truth.error_type or known_gold):
        sums |= {f"type {named} {name}": value for name, value in sums.items()}
        sums |= {f"type {named} n": 1, f"type {named} found": bool(flawed)}
    sums |= {"valid": verdict is None or answer.get("valid", True)}
    sums |= {f"verdict {_VERDICTS[bool(truth.flawed)]} {_VERDICTS[flawed]}": 1}
    return metrics.JudgedItem(
        f"{item.dataset}\n{item.sample.problem_id}",
        known_gold if classed else "",
        said,
        flawed == truth.flawed,
        answer.get("confidence"),
        None if verdict is None else answer.get("seconds"),
        sums,
    )


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
        MEASURES.figures(judged_items(part, answers), engine=name, dataset=dataset, rounds=rounds, seed=seed)
        for name, answers in engines.items()
        for dataset, part in parts
    ]


def comparisons(items: Sequence[EvaluationItem], engines: Mapping[str, Answers]) -> list[dict[str, Any]]:
    """Return McNemar's exact test of each pair of engines, on verdicts and, if known, on the three classes."""
    rows: list[EngineComparison] = []
    for dataset, part in _by_dataset(items).items():
        right: dict[tuple[str, str], list[bool]] = {}
        for name, answers in engines.items():
            judged = judged_items(part, answers)
            right[name, "verdict"] = [item.right for item in judged]
            right[name, "class"] = [item.said == item.gold for item in judged if item.gold]
        for (name, other), of in product(permutations(engines, 2), ("verdict", "class")):
            ours, theirs = right[name, of], right[other, of]
            rows.append(
                EngineComparison(
                    dataset=dataset,
                    engine=name,
                    baseline=other,
                    of=of,
                    items=len(ours),
                    **metrics.mcnemar(ours, theirs),
                )
            )
    return list(map(json_form, rows))
