"""Fitting of a logistic regression, and the area under the ROC curve of its probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import HarnessError
from sft.fitted.model import Array, FittedModel, feature_table

PENALTY = 0.1
"""The `C` of the logistic regression; columns that agree share their weight."""
MOST_ROUNDS = 3_000


def fit(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[str],
    weights: Sequence[float] | None = None,
    *,
    classes: Sequence[str],
    about: Mapping[str, Any] | None = None,
) -> FittedModel:
    """Return a model fitted on rows of named features with their labels, one of `classes` each; the first of these is the sound one.

    Raises:
        HarnessError: the first class or all others have no row, or rows have different features.
    """
    present = tuple(name for name in classes if name in set(labels))
    if classes[0] not in present or len(present) < 2:
        known = ", ".join(present)
        raise HarnessError(f"expected samples that are {classes[0]} and samples that are not, found {known} only")
    names = tuple(sorted(rows[0]))
    table = feature_table(rows, names)
    places = np.array([present.index(label) for label in labels], dtype=np.int64)
    weighed = np.array([1.0] * len(rows) if weights is None else weights, dtype=np.float64)
    centre = np.average(table, axis=0, weights=weighed)
    spread = np.sqrt(np.average((table - centre) ** 2, axis=0, weights=weighed))
    spread[spread < 1e-9] = 1.0
    fitted = logistic_regression((table - centre) / spread, places, weighed)
    # Of two classes scikit-learn states the second alone.
    slopes, bias = (
        np.concatenate([np.zeros_like(each), each]) if len(present) == 2 else each
        for each in (fitted.coef_, fitted.intercept_)
    )
    sound = places == 0
    counts = {name: int((places == place).sum()) for place, name in enumerate(present)}
    return FittedModel(
        about={**(about or {}), "counts": counts},
        classes=present,
        prior=min(1 - 1e-6, max(1e-6, round(float(np.average(~sound, weights=weighed)), 6))),
        names=names,
        low=tuple(map(float, table.min(axis=0))),
        high=tuple(map(float, table.max(axis=0))),
        typical=tuple(map(float, np.median(table[sound], axis=0))),
        centre=tuple(map(float, centre)),
        spread=tuple(map(float, spread)),
        weights=tuple(tuple(map(float, row)) for row in slopes),
        bias=tuple(map(float, bias)),
    )


def area(flawed: Sequence[bool] | NDArray[np.bool_], scores: Sequence[float] | Array) -> float:
    """Return the area under the ROC curve; both classes are there."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(flawed, scores))


def logistic_regression(rows: Any, labels: NDArray[np.int64], weights: Array | None = None) -> Any:
    """Return scikit-learn's regression of rows, dense or sparse, with the penalty of every fit here."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=PENALTY, max_iter=MOST_ROUNDS).fit(rows, labels, sample_weight=weights)
