"""Comparison of engines on the same items: metrics by dataset, McNemar's test, and consistency on metamorphic pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.json_form import json_form
from harness.records.verifier import Consistency, EngineComparison
from sft.evaluation.counts import OutcomeCounts
from sft.evaluation.dataset_items import datasets_of
from sft.evaluation.metrics import interval, mcnemar, measure
from sft.samples.outcomes import NO_CLASS, EvaluationOutcome, gold_of, read_prediction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sft.evaluation.dataset_items import EvaluationItem

Answers = dict[tuple[str, str], dict[str, Any]]
ALL = "all"


def figures(
    items: Sequence[EvaluationItem], engines: Mapping[str, Answers], *, rounds: int, seed: int
) -> list[dict[str, Any]]:
    """Return the metrics of each engine on each dataset and, if there are several datasets, on all of them."""
    plain = [item for item in items if not item.relation]
    return [
        json_form(measure(outcomes_of(part, answers), engine=name, dataset=dataset, rounds=rounds, seed=seed))
        for name, answers in engines.items()
        for dataset, part in _parts(plain).items()
    ]


def outcomes_of(items: Sequence[EvaluationItem], answers: Answers) -> list[EvaluationOutcome]:
    """Return the items with their answers; problem ids get the name of their dataset, so that datasets stay apart."""
    return [
        EvaluationOutcome(
            item.dataset,
            replace(item.sample, problem_id=f"{item.dataset}\n{item.sample.problem_id}"),
            read_prediction(answers[item.key]),
        )
        for item in items
    ]


def _parts(items: Sequence[EvaluationItem]) -> dict[str, list[EvaluationItem]]:
    names = datasets_of(items)
    parts = {name: [item for item in items if item.dataset == name] for name in names}
    return parts if len(names) == 1 else {**parts, ALL: list(items)}


def comparisons(items: Sequence[EvaluationItem], engines: Mapping[str, Answers]) -> list[dict[str, Any]]:
    """Return McNemar's exact test of each pair of engines, on verdicts and, if known, on the three classes."""
    rows: list[EngineComparison] = []
    for dataset, part in _parts([item for item in items if not item.relation]).items():
        outcomes = {name: outcomes_of(part, answers) for name, answers in engines.items()}
        for name, ours in outcomes.items():
            for other, theirs in outcomes.items():
                if other != name:
                    rows += [
                        EngineComparison(dataset=dataset, engine=name, baseline=other, of=of, **test(ours, theirs))
                        for of, test in (("verdict", _verdicts), ("class", _classes))
                    ]
    return list(map(json_form, rows))


def _verdicts(ours: Sequence[EvaluationOutcome], theirs: Sequence[EvaluationOutcome]) -> dict[str, Any]:
    return {"items": len(ours), **mcnemar(*([_right(outcome) for outcome in side] for side in (ours, theirs)))}


def _classes(ours: Sequence[EvaluationOutcome], theirs: Sequence[EvaluationOutcome]) -> dict[str, Any]:
    classed = {
        outcome.dataset for outcome in ours if outcome.sample.truth.flawed and gold_of(outcome.sample.truth) != NO_CLASS
    }
    sides = [
        [outcome for outcome in side if outcome.dataset in classed and gold_of(outcome.sample.truth) != NO_CLASS]
        for side in (ours, theirs)
    ]
    rights = ([outcome.prediction.said == gold_of(outcome.sample.truth) for outcome in side] for side in sides)
    return {"items": len(sides[0]), **mcnemar(*rights)}


def _right(outcome: EvaluationOutcome) -> bool:
    return outcome.prediction.flawed == outcome.sample.truth.flawed


def consistencies(
    items: Sequence[EvaluationItem], engines: Mapping[str, Answers], *, rounds: int, seed: int
) -> list[dict[str, Any]]:
    """Return, for each engine and metamorphic relation, the share of pairs whose verdicts relate as the labels do.

    A pair is consistent if the verdict changes exactly when the label changes; for `both_right` the verdicts must also be
    right.
    """
    import numpy as np

    originals = {item.key: item for item in items}
    rows = []
    relations = sorted({item.relation for item in items if item.relation})
    for name, answers in engines.items():
        for relation in relations:
            problems: dict[str, list[int]] = {}
            for item in items:
                before = originals.get((item.dataset, item.of))
                if item.relation != relation or before is None:
                    continue
                was, now = (read_prediction(answers[side.key]).flawed for side in (before, item))
                follows = (was != now) == (before.sample.truth.flawed != item.sample.truth.flawed)
                sums = problems.setdefault(f"{item.dataset}\n{item.sample.problem_id}", [0, 0, 0])
                sums[0] += 1
                sums[1] += follows
                sums[2] += follows and now == item.sample.truth.flawed
            counts = OutcomeCounts(
                ("n", "follows", "right"), np.array(list(problems.values()), dtype=float).reshape(-1, 3)
            )
            total, drawn = counts.total(), counts.resampled(rounds, seed)
            rows.append(
                Consistency(
                    engine=name,
                    relation=relation,
                    consistency=interval("follows", "n", total, drawn),
                    both_right=interval("right", "n", total, drawn),
                )
            )
    return list(map(json_form, rows))
