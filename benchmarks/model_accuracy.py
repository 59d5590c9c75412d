"""Benchmark of the accuracy that is estimated for each model of a run without gold answers, against how often it is right."""

import itertools
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.probability_ensembles import AnsweredProblem, ensembles, read_answers
from benchmarks.sessions import require
from oracles.consensus.probability.answer_model import problem_answers
from oracles.consensus.probability.model_reliability import estimate_reliability

SIZES, RUN_SIZES, DRAWS = (2, 3, 5, 7, 11), (300, 50), 20
APART = 0.05
"""Two models are told apart where their shares of right answers differ by as much."""


def measure(data: Path) -> dict[str, Any]:
    """Compare what `models.jsonl` estimates for each model with the share of its answers that are right, by models and problems of a run."""
    require("programs", data=data)
    problems, rng = read_answers(data), Random(0)
    models = sorted({model for problem in problems.values() for model in problem.values})
    figures = {}
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
        figures[f"{size} models, {count} problems"] = {
            "runs": len(found),
            "mean_error": statistics.fmean(errors),
            "largest_error": max(errors),
            "pairs": len(ordered),
            "pairs_in_order": sum(ordered),
        }
    return figures


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
