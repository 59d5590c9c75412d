"""Benchmark of the accuracy that is estimated for each model of a run without gold answers, against how often it is right."""

from __future__ import annotations

import itertools
import statistics
from random import Random
from typing import TYPE_CHECKING

from benchmarks.collusion import read_problems
from benchmarks.probability_ensembles import ensembles
from benchmarks.sessions import available
from oracles.consensus.probability.model_reliability import estimate_reliability, problem_answers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from benchmarks.collusion import AnsweredProblem

SIZES, RUN_SIZES, DRAWS = (2, 3, 5, 7, 11), (300, 50), 20
APART = 0.05
"""Two models are told apart where their shares of right answers differ by as much."""


def measure(data: Path) -> str:
    """Return the figures as Markdown."""
    if not available("programs", data):
        return "## Estimated accuracy of models\n\nNot measured: the data are not there."
    problems, rng = read_problems(data), Random(0)
    models = sorted({model for problem in problems.values() for model in problem.values})
    rows = []
    for size, count in itertools.product((*SIZES, len(models)), RUN_SIZES):
        drawn = [models] if size == len(models) else list(ensembles(models, [size] * DRAWS, rng))
        runs = [(ensemble, rng.sample(sorted(problems), min(count, len(problems)))) for ensemble in drawn]
        found = [_compared({name: problems[name] for name in names}, ensemble) for ensemble, names in runs]
        errors = [abs(estimated - right) for pairs in found for estimated, right in pairs]
        ordered = [
            (left[0] > right[0]) == (left[1] > right[1])
            for pairs in found
            for left, right in itertools.combinations(pairs, 2)
            if abs(left[1] - right[1]) >= APART
        ]
        rows.append(
            f"| {size} | {count} | {len(found)} | {statistics.fmean(errors):.3f} | {max(errors):.2f} | {sum(ordered):,} of {len(ordered):,} ({sum(ordered) / max(1, len(ordered)):.0%}) |"
        )
    return "\n".join(
        [
            "## Estimated accuracy of models",
            "",
            "    python -m benchmarks model_accuracy",
            "",
            f"What `models.jsonl` says of each model, estimated from the answers of all models of a run without gold answers, against the share of its answers that are right: public programs of {len(models)} writers to {len(problems)} problems, ensembles drawn from different families. Pairs are two models of an ensemble whose shares differ by {APART} or more.",
            "",
            "| models | problems | runs | mean error | largest | pairs in the right order |",
            "|---|---|---|---|---|---|",
            *rows,
        ]
    )


def _compared(problems: Mapping[str, AnsweredProblem], models: Sequence[str]) -> list[tuple[float, float]]:
    """Return the estimated and the true share of right answers of each model."""
    reliability = estimate_reliability(
        {
            name: problem_answers(
                {model: problem.values.get(model) for model in models},
                {model: problem.forms[model] for model in models if model in problem.forms},
            )
            for name, problem in problems.items()
        }
    )
    return [
        (
            reliability.accuracy[model],
            statistics.fmean(problem.values.get(model) in problem.right for problem in problems.values()),
        )
        for model in models
    ]
