"""Fitting the diagnosis on flawed solutions whose place and kind of error are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sft.verifier.combiner.boosted_trees import TreeSettings, forest_of, grown_trees
from sft.verifier.diagnosis.diagnosis import DiagnosisModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.solution.labels import ErrorType
    from sft.verifier.combiner.boosted_trees import BoostedForest

STAGES, KIND_STAGES = 90, 40
LEAVES = 8
RATE = 0.08
LEAST_IN_LEAF = 30
EVENING = 0.7
"""A kind with n examples weighs n to the power of one minus this, so that the model does not name the commonest kinds only."""


@dataclass(frozen=True, slots=True)
class KnownError:
    """A flawed solution: its source and problem, the features of its places, and where and of which kind its error is."""

    source: str
    problem_id: str
    features: Mapping[str, Mapping[str, float]]
    line: str
    error_type: ErrorType


def fit_diagnosis(errors: Sequence[KnownError], about: Mapping[str, Any], *, seed: int = 0) -> DiagnosisModel:
    """Return the model of these errors; every source has the same weight."""
    names = tuple(sorted(next(iter(errors[0].features.values()))))
    types = tuple(sorted({error.error_type for error in errors}))
    sources = Counter(error.source for error in errors)
    kinds = Counter((error.source, error.error_type) for error in errors)
    rows, here, weights, wrong, labels, of_kind = [], [], [], [], [], []
    for error in errors:
        for place, features in error.features.items():
            row = [features[name] for name in names]
            rows.append(row)
            here.append(place == error.line)
            weights.append(1 / sources[error.source])
            if place == error.line:
                wrong.append(row)
                labels.append(types.index(error.error_type))
                of_kind.append(kinds[error.source, error.error_type] ** -EVENING)
    return DiagnosisModel(
        about={**about, "errors": dict(sources), "kinds": dict(Counter(str(error.error_type) for error in errors))},
        names=names,
        types=types,
        places=_grown(np.array(rows), np.array(here, dtype=int), np.array(weights), STAGES, seed),
        kinds=_grown(np.array(wrong), np.array(labels), np.array(of_kind), KIND_STAGES, seed),
    )


def _grown(
    rows: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], weights: np.ndarray[Any, Any], stages: int, seed: int
) -> BoostedForest:
    even = weights * len(weights) / weights.sum()
    grown = grown_trees(rows, labels, even, TreeSettings(stages, RATE, LEAVES, LEAST_IN_LEAF, seed))
    forest = forest_of(grown)
    if forest.classes == 1:
        # Two classes share one series of trees, which is that of the second.
        forest = replace(forest, base=(0.0, forest.base[0]), owners=tuple(1 for _ in forest.owners))
    # Six digits keep the file small.
    return replace(
        forest,
        thresholds=tuple(float(f"{value:.6g}") for value in forest.thresholds),
        values=tuple(float(f"{value:.6g}") for value in forest.values),
    )
