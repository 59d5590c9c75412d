"""A logistic regression over named features: its fit, its JSON file, and the probabilities that it gives.

Prediction needs numpy alone, the fit scikit-learn as well.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from harness.errors import HarnessError
from harness.json_form import Number, json_form, read_record
from harness.store.run_folder import write_atomically

Array = NDArray[np.float64]
PENALTY = 0.1
"""The `C` of the logistic regression; columns that agree share their weight."""
MOST_ROUNDS = 3_000
FLOOR = 1e-4
"""The lowest probability of a class: no evidence excludes one."""


@dataclass(frozen=True, kw_only=True)
class FittedModel:
    """A multinomial logistic regression on standardised columns.

    The first of `classes` is the sound one: correct, or solvable. `prior` is the share of all other classes, by weight, in the rows of the fit.
    Columns are cut to `low` and `high`, the range of these rows, so that no outlier has a greater weight. `weights` is classes x columns.
    `typical` are the medians of the rows of the first class. `about` describes the rows, the date and the metrics.
    """

    format: Literal[2] = 2
    about: Mapping[str, Any] = field(default_factory=dict)
    classes: Annotated[tuple[str, ...], Field(min_length=2)]
    prior: Annotated[Number, Field(gt=0, lt=1)] = 0.5
    names: tuple[str, ...]
    low: tuple[Number, ...]
    high: tuple[Number, ...]
    typical: tuple[Number, ...]
    centre: tuple[Number, ...]
    spread: tuple[Annotated[Number, Field(gt=0)], ...]
    weights: tuple[tuple[Number, ...], ...]
    bias: tuple[Number, ...]

    def __post_init__(self) -> None:
        """Check that there is a number for each feature, and a row of weights for each class; raises `ValueError` where there is not."""
        columns = (self.low, self.high, self.typical, self.centre, self.spread, *self.weights)
        if {len(column) for column in columns} != {len(self.names)}:
            raise ValueError(f"expected one number for each of {len(self.names)} features")
        if not len(self.weights) == len(self.bias) == len(self.classes):
            raise ValueError(f"expected one row of weights for each of {len(self.classes)} classes")

    @cached_property
    def evidence(self) -> frozenset[str]:
        """Return the names of the kinds of evidence that it needs: the features are named `kind.feature`."""
        return frozenset(name.partition(".")[0] for name in self.names)

    def log_odds(self, rows: Array) -> Array:
        """Return the log-odds, rows x classes, of rows x columns in the order of `names`."""
        cut = np.clip(rows, np.array(self.low), np.array(self.high))
        scaled = (cut - np.array(self.centre)) / np.array(self.spread)
        sums: Array = scaled @ np.array(self.weights).T + np.array(self.bias)
        return sums

    def probabilities(self, rows: Array) -> Array:
        """Return the probabilities, rows x classes, each at least `FLOOR`; rows sum to one."""
        shares = np.maximum(softmax(self.log_odds(rows)), FLOOR)
        whole: Array = shares / shares.sum(axis=1, keepdims=True)
        return whole

    def rows_of(self, features: Iterable[Mapping[str, float]]) -> Array:
        """Return named features as rows x columns; raises `HarnessError` where a feature is missing, unknown or not a finite number."""
        return feature_table(features, self.names)

    def weigh(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the nats by which each kind of evidence lowers the log-odds of the first class, compared with its typical rows."""
        row = self.rows_of([features])[0]
        groups = np.array([name.partition(".")[0] for name in self.names])
        kinds = sorted(self.evidence)
        rows = np.stack([row, *(np.where(groups == kind, np.array(self.typical), row) for kind in kinds)])
        first = np.clip(self.probabilities(rows)[:, 0], FLOOR, 1 - FLOOR)
        odds = np.log((1 - first) / first)
        return {kind: float(odds[0] - odds[place]) for place, kind in enumerate(kinds, start=1)}

    def save(self, path: Path) -> None:
        """Write the JSON form; a file that is cut off is never left."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(json_form(self), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def of_file(cls, path: Path) -> "FittedModel":
        """Return the model of a file that comes with the package."""
        return read_record(cls, json.loads(path.read_text("utf-8")))


def feature_table(rows: Iterable[Mapping[str, float]], names: Sequence[str]) -> Array:
    """Return rows of named features as rows x columns in the order of the names.

    Raises:
        HarnessError: a row lacks a feature, has an unknown one, or a value is not a finite number.
    """
    wanted, table = set(names), []
    for row in rows:
        if row.keys() != wanted:
            apart = {"missing": sorted(wanted - row.keys())[:5], "unknown": sorted(row.keys() - wanted)[:5]}
            differences = "; ".join(f"{word}: {', '.join(names)}" for word, names in apart.items() if names)
            message = f"these features are not those that the combiner was fitted on ({differences}); fit it again"
            raise HarnessError(message)
        table.append([float(row[name]) for name in names])
    array = np.array(table, dtype=np.float64).reshape(len(table), len(names))
    if not np.isfinite(array).all():
        column = int(np.argwhere(~np.isfinite(array))[0][1])
        raise HarnessError(f"the feature {names[column]!r} is not a finite number")
    return array


def softmax(log_odds: Array) -> Array:
    """Return the probabilities of each row of log-odds: rows x classes, both in and out."""
    powers = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares


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
