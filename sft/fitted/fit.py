"""Fitting of a logistic regression: cross-fitted probabilities, and metrics on unseen groups."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.errors import HarnessError
from sft.fitted.model import FittedModel, feature_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PENALTY = 0.1
"""The `C` of the logistic regression; columns that agree share their weight."""
FOLDS = 5
ABSENT = -30.0
"""The log-odds of a class without a row in a fold."""
MOST_ROUNDS = 3_000


@dataclass(frozen=True, slots=True)
class FitRows:
    """The rows of a fit: `table` is rows x columns; of each row the place of its class in `classes`, and its weight."""

    names: tuple[str, ...]
    table: Array
    classes: tuple[str, ...]
    labels: NDArray[np.int64]
    weights: Array

    @classmethod
    def of(
        cls,
        rows: Sequence[Mapping[str, float]],
        labels: Sequence[str],
        weights: Sequence[float] | None = None,
        *,
        classes: Sequence[str],
    ) -> FitRows:
        """Return the rows of named features with their labels, one of `classes` each.

        Raises:
            HarnessError: the first class or all others have no row, or rows have different features.
        """
        weighed = np.array([1.0] * len(rows) if weights is None else weights, dtype=np.float64)
        present = tuple(name for name in classes if name in set(labels))
        if classes[0] not in present or len(present) < 2:
            known = ", ".join(present)
            raise HarnessError(f"expected samples that are {classes[0]} and samples that are not, found {known} only")
        names = tuple(sorted(rows[0]))
        places = np.array([present.index(label) for label in labels], dtype=np.int64)
        return cls(names, feature_table(rows, names), present, places, weighed)

    def regression(self, chosen: NDArray[np.intp]) -> FittedModel:
        """Return the regression on chosen rows, without curves."""
        rows, weights = self.table[chosen], self.weights[chosen]
        centre = np.average(rows, axis=0, weights=weights)
        spread = np.sqrt(np.average((rows - centre) ** 2, axis=0, weights=weights))
        spread[spread < 1e-9] = 1.0
        slopes, bias = self._coefficients((rows - centre) / spread, chosen)
        first = self.labels[chosen] == 0
        return FittedModel(
            classes=self.classes,
            prior=min(1 - 1e-6, max(1e-6, round(float(np.average(~first, weights=weights)), 6))),
            names=self.names,
            low=tuple(map(float, rows.min(axis=0))),
            high=tuple(map(float, rows.max(axis=0))),
            typical=tuple(map(float, np.median(rows[first] if first.any() else rows, axis=0))),
            centre=tuple(map(float, centre)),
            spread=tuple(map(float, spread)),
            weights=tuple(tuple(map(float, row)) for row in slopes),
            bias=tuple(map(float, bias)),
        )

    def _coefficients(self, scaled: Array, chosen: NDArray[np.intp]) -> tuple[Array, Array]:
        classes = len(self.classes)
        slopes, bias = np.zeros((classes, scaled.shape[1])), np.full(classes, ABSENT)
        fitted = logistic_regression(scaled, self.labels[chosen], self.weights[chosen])
        seen = list(fitted.classes_)
        if len(seen) == 2:
            slopes[seen[1]], bias[seen] = fitted.coef_[0], (0.0, fitted.intercept_[0])
        else:
            slopes[seen], bias[seen] = fitted.coef_, fitted.intercept_
        return slopes, bias


def fit(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[str],
    weights: Sequence[float] | None = None,
    *,
    classes: Sequence[str],
    groups: Sequence[str] | None = None,
    folds: int = FOLDS,
    seed: int = 0,
    about: Mapping[str, Any] | None = None,
) -> FittedModel:
    """Return a model fitted on all rows.

    With `groups`, such as the problems of the rows, `about` gets the metrics of regressions that saw no row of the same group.

    Raises:
        HarnessError: as `FitRows.of`; there are fewer groups than folds.
    """
    given = FitRows.of(rows, labels, weights, classes=classes)
    counts = {name: int((given.labels == place).sum()) for place, name in enumerate(given.classes)}
    model = replace(given.regression(np.arange(len(rows))), about={**(about or {}), "counts": counts})
    if groups is None:
        return model
    shares = cross_fit(given, groups, folds=folds, seed=seed)
    measured = {"folds": folds, "seed": seed, "cross_fit": metrics(given, shares)}
    return replace(model, about={**model.about, **measured})


def cross_fit(rows: FitRows, groups: Sequence[str], *, folds: int = FOLDS, seed: int = 0) -> Array:
    """Return the probabilities, rows x classes, of each row from regressions that saw no row of its group.

    Raises:
        HarnessError: there are fewer groups than folds.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    if len(set(groups)) < folds:
        raise HarnessError(f"expected at least {folds} problems, one for each fold, found {len(set(groups))}")
    shares = np.zeros((len(rows.table), len(rows.classes)))
    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        # A class may have fewer rows than there are folds: skipped steps are rare.
        warnings.simplefilter("ignore", UserWarning)
        splits = list(splitter.split(rows.table, rows.labels, np.array(groups, dtype=object)))
    for train, test in splits:
        shares[test] = rows.regression(train).probabilities(rows.table[test])
    return shares


def metrics(rows: FitRows, shares: Array) -> dict[str, float]:
    """Return the weighted metrics of probabilities, rows x classes, against the labels; a verdict is for the first class or against it."""
    from sklearn.metrics import accuracy_score, f1_score, log_loss

    truth, predicted, weights = rows.labels, shares.argmax(axis=1), rows.weights
    values = {
        "accuracy": accuracy_score(truth, predicted, sample_weight=weights),
        "weighted_f1": f1_score(truth, predicted, average="weighted", sample_weight=weights, zero_division=0),
        "macro_f1": f1_score(truth, predicted, average="macro", sample_weight=weights, zero_division=0),
        "verdict_accuracy": accuracy_score(truth != 0, shares[:, 0] < 0.5, sample_weight=weights),
        "verdict_auc": area(truth != 0, 1 - shares[:, 0], weights),
        "log_loss": log_loss(truth, shares, sample_weight=weights, labels=list(range(len(rows.classes)))),
    }
    return {name: round(float(value), 4) for name, value in values.items()}


def area(
    flawed: Sequence[bool] | NDArray[np.bool_], scores: Sequence[float] | Array, weights: Array | None = None
) -> float:
    """Return the area under the ROC curve; both classes are there."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(flawed, scores, sample_weight=weights))


def logistic_regression(rows: Any, labels: NDArray[np.int64], weights: Array | None = None) -> Any:
    """Return scikit-learn's regression of rows, dense or sparse, with the penalty of every fit here."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=PENALTY, max_iter=MOST_ROUNDS).fit(rows, labels, sample_weight=weights)
