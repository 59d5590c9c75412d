"""Fitting of the combiner: cross-fitted probabilities, calibration curves, and metrics on unseen problems."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.errors import HarnessError
from sft.verifier.combiner.boosted_trees import BoostedForest, TreeSettings, forest_of, grown_trees
from sft.verifier.combiner.combiner import (
    CLASSES,
    SOUND,
    STYLE,
    CalibrationCurve,
    Combiner,
    LogisticModel,
    calibrated_probabilities,
    matrix,
    softmax,
)
from sft.verifier.combiner.fit_choices import CalibrationMethod, CombinerKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Part = LogisticModel | BoostedForest

FOLDS = 5
STAGES = 120
LEAVES = 8
RATE = 0.06
LEAST_IN_LEAF = 30
PENALTY = 0.1
"""The `C` of the logistic regression; columns that agree share their weight."""
KNOTS = 65


@dataclass(frozen=True, slots=True)
class CombinerSamples:
    """Samples in the form that is fitted: rows x columns, and of each row the place of its class in `classes`, group and weight.

    `ignored` are the features of `STYLE` that the rows had.
    """

    names: tuple[str, ...]
    rows: Array
    classes: tuple[str, ...]
    labels: NDArray[np.int64]
    groups: NDArray[Any]
    weights: Array
    ignored: tuple[str, ...] = ()


def samples_of(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[str],
    groups: Sequence[str],
    weights: Sequence[float] | None = None,
) -> CombinerSamples:
    """Return samples in the form that is fitted.

    Raises:
        HarnessError: the lists have different lengths or are empty, a label is not in `CLASSES`, there is only one class, a
            weight is negative or not finite, or rows have different features.
    """
    weights = [1.0] * len(rows) if weights is None else weights
    if not rows or not len(rows) == len(labels) == len(groups) == len(weights):
        message = f"expected as many labels, groups and weights as rows, found {len(labels)}, {len(groups)}, {len(weights)} and {len(rows)}"
        raise HarnessError(message)
    unknown = sorted(set(labels) - set(CLASSES))
    if unknown:
        raise HarnessError(f"expected labels of {', '.join(CLASSES)}, found {unknown[0]!r}")
    classes = tuple(name for name in CLASSES if name in set(labels))
    if SOUND not in classes or len(classes) < 2:
        raise HarnessError(f"expected correct and flawed samples, found {', '.join(classes)} only")
    ignored = tuple(sorted(STYLE & rows[0].keys()))
    rows = [{name: value for name, value in row.items() if name not in STYLE} for row in rows]
    names = tuple(sorted(rows[0]))
    weighed = np.array(weights, dtype=np.float64)
    if not np.isfinite(weighed).all() or (weighed < 0).any() or not weighed.any():
        raise HarnessError("expected weights of zero or more, and at least one above zero")
    places = np.array([classes.index(label) for label in labels], dtype=np.int64)
    array = matrix(rows, names)
    return CombinerSamples(names, array, classes, places, np.array(groups, dtype=object), weighed, ignored)


def cross_fit(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[str],
    groups: Sequence[str],
    weights: Sequence[float] | None = None,
    *,
    kind: CombinerKind = CombinerKind.BOTH,
    calibration: CalibrationMethod = CalibrationMethod.PLATT,
    folds: int = FOLDS,
    seed: int = 0,
) -> Array:
    """Return the probability of each of `CLASSES` for each row, from combiners that were fitted without its group.

    The curves of a row's fold are fitted on the probabilities of the other folds. Labels are of `CLASSES`, groups are
    problems.

    Raises:
        HarnessError: as `samples_of`; there are fewer groups than folds.
    """
    samples = samples_of(rows, labels, groups, weights)
    return _cross_fit(samples, kind, calibration, folds, seed)[1]


def fit(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[str],
    groups: Sequence[str],
    weights: Sequence[float] | None = None,
    *,
    kind: CombinerKind = CombinerKind.BOTH,
    calibration: CalibrationMethod = CalibrationMethod.PLATT,
    folds: int = FOLDS,
    seed: int = 0,
    about: Mapping[str, Any] | None = None,
) -> Combiner:
    """Return a combiner fitted on all rows, with curves fitted on cross-fitted probabilities; `about` gets their metrics.

    Raises:
        HarnessError: as `cross_fit`.
    """
    samples = samples_of(rows, labels, groups, weights)
    raw, shares = _cross_fit(samples, kind, calibration, folds, seed)
    sound = samples.rows[samples.labels == samples.classes.index(SOUND)]
    return Combiner(
        names=samples.names,
        ignored=samples.ignored,
        classes=samples.classes,
        parts=_parts(samples, np.arange(len(rows)), kind, seed),
        low=tuple(map(float, samples.rows.min(axis=0))),
        high=tuple(map(float, samples.rows.max(axis=0))),
        typical=tuple(map(float, np.median(sound, axis=0))),
        curves=_curves(samples, raw, np.arange(len(rows)), calibration),
        prior=_share_of_flawed(samples),
        about={
            **(about or {}),
            "kind": str(kind),
            "calibration": str(calibration),
            "folds": folds,
            "seed": seed,
            "counts": {name: int((samples.labels == place).sum()) for place, name in enumerate(samples.classes)},
            "cross_fit": metrics(samples, shares),
        },
    )


def _share_of_flawed(samples: CombinerSamples) -> float:
    flawed = samples.labels != samples.classes.index(SOUND)
    return round(float(np.average(flawed, weights=samples.weights)), 6)


def metrics(samples: CombinerSamples, shares: Array) -> dict[str, float]:
    """Return the weighted metrics of probabilities, rows x `CLASSES`, against the labels."""
    from sklearn.metrics import accuracy_score, f1_score, log_loss, roc_auc_score

    truth = np.array([CLASSES.index(samples.classes[label]) for label in samples.labels])
    predicted, weights = shares.argmax(axis=1), samples.weights
    flawed = truth != 0
    own = shares[:, [CLASSES.index(name) for name in samples.classes]]
    values = {
        "accuracy": accuracy_score(truth, predicted, sample_weight=weights),
        "weighted_f1": f1_score(truth, predicted, average="weighted", sample_weight=weights, zero_division=0),
        "macro_f1": f1_score(truth, predicted, average="macro", sample_weight=weights, zero_division=0),
        "verdict_accuracy": accuracy_score(flawed, shares[:, 0] < 0.5, sample_weight=weights),
        "verdict_auc": roc_auc_score(flawed, 1 - shares[:, 0], sample_weight=weights),
        "log_loss": log_loss(samples.labels, own, sample_weight=weights, labels=list(range(len(samples.classes)))),
    }
    return {name: round(float(value), 4) for name, value in values.items()}


def _cross_fit(
    samples: CombinerSamples, kind: CombinerKind, calibration: CalibrationMethod, folds: int, seed: int
) -> tuple[Array, Array]:
    """Return the probabilities of the parts, rows x the samples' classes, and the calibrated ones, rows x `CLASSES`."""
    from sklearn.model_selection import StratifiedGroupKFold

    distinct = len(set(samples.groups))
    if distinct < folds:
        raise HarnessError(f"expected at least {folds} problems, one for each fold, found {distinct}")
    raw = np.zeros((len(samples.rows), len(samples.classes)))
    fold = np.zeros(len(samples.rows), dtype=np.int64)
    with warnings.catch_warnings():
        # A class may have fewer rows than there are folds: skipped steps are rare.
        warnings.simplefilter("ignore", UserWarning)
        splits = list(
            StratifiedGroupKFold(folds, shuffle=True, random_state=seed).split(
                samples.rows, samples.labels, samples.groups
            )
        )
    for number, (train, test) in enumerate(splits):
        parts = _parts(samples, train, kind, seed)
        raw[test] = np.mean([softmax(part.sums(samples.rows[test])) for part in parts], axis=0)
        fold[test] = number
    shares = np.zeros((len(samples.rows), len(CLASSES)))
    columns = np.array([CLASSES.index(name) for name in samples.classes])
    for number in range(folds):
        inside, others = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        shares[np.ix_(inside, columns)] = calibrated_probabilities(
            raw[inside], _curves(samples, raw, others, calibration)
        )
    return raw, shares


def _parts(samples: CombinerSamples, chosen: NDArray[np.intp], kind: CombinerKind, seed: int) -> tuple[Part, ...]:
    parts: list[Part] = []
    if kind in {CombinerKind.LOGISTIC, CombinerKind.BOTH}:
        rows, labels, weights = samples.rows[chosen], samples.labels[chosen], samples.weights[chosen]
        parts.append(fit_logistic(rows, labels, weights, classes=len(samples.classes), penalty=PENALTY))
    if kind in {CombinerKind.BOOSTED, CombinerKind.BOTH}:
        parts.append(_boosted(samples, chosen, seed))
    return tuple(parts)


def fit_logistic(
    rows: Array, labels: NDArray[np.int64], weights: Array, *, classes: int, penalty: float, most_rounds: int = 2_000
) -> LogisticModel:
    """Return a logistic regression on standardised columns; a class without a row gets the log-odds `ABSENT`.

    `rows` is rows x columns, `labels` the number of each row's class, `penalty` the `C` of scikit-learn.
    """
    from sklearn.linear_model import LogisticRegression

    centre = np.average(rows, axis=0, weights=weights)
    spread = np.sqrt(np.average((rows - centre) ** 2, axis=0, weights=weights))
    spread[spread < 1e-9] = 1.0
    fitted = LogisticRegression(C=penalty, max_iter=most_rounds).fit(
        (rows - centre) / spread, labels, sample_weight=weights
    )
    seen = list(fitted.classes_)
    slopes, bias = np.zeros((classes, rows.shape[1])), np.full(classes, ABSENT)
    if len(seen) == 2:
        slopes[seen[1]], bias[seen] = fitted.coef_[0], (0.0, fitted.intercept_[0])
    else:
        slopes[seen], bias[seen] = fitted.coef_, fitted.intercept_
    return LogisticModel(
        centre=tuple(map(float, centre)),
        spread=tuple(map(float, spread)),
        weights=tuple(tuple(map(float, row)) for row in slopes),
        bias=tuple(map(float, bias)),
    )


ABSENT = -30.0
"""The log-odds of a class without a row in a fold."""


def _boosted(samples: CombinerSamples, chosen: NDArray[np.intp], seed: int) -> BoostedForest:
    fitted = grown_trees(
        samples.rows[chosen],
        samples.labels[chosen],
        samples.weights[chosen],
        TreeSettings(STAGES, RATE, LEAVES, LEAST_IN_LEAF, seed),
    )
    forest, seen = forest_of(fitted), list(fitted.classes_)
    base = np.full(len(samples.classes), ABSENT)
    if len(seen) == 2:
        base[seen] = (0.0, forest.base[0])
        owners = tuple(int(seen[1]) for _ in forest.owners)
    else:
        base[seen] = forest.base
        owners = tuple(int(seen[owner]) for owner in forest.owners)
    return replace(forest, base=tuple(map(float, base)), owners=owners)


def _curves(
    samples: CombinerSamples, raw: Array, chosen: NDArray[np.intp], calibration: CalibrationMethod
) -> tuple[CalibrationCurve, ...]:
    if calibration is CalibrationMethod.NONE:
        return ()
    draw = _platt if calibration is CalibrationMethod.PLATT else _isotonic
    labels, weights = samples.labels[chosen], samples.weights[chosen]
    return tuple(draw(raw[chosen, place], labels == place, weights) for place in range(len(samples.classes)))


def _platt(shares: Array, true: NDArray[np.bool_], weights: Array) -> CalibrationCurve:
    """Return a logistic curve over the log-odds (Platt 1999), at knots; a class that is never or always true keeps its probability."""
    from sklearn.linear_model import LogisticRegression

    odds = np.linspace(-10.0, 10.0, KNOTS)
    given = 1 / (1 + np.exp(-odds))
    if true.all() or not true.any():
        return CalibrationCurve((0.0, 1.0), (0.0, 1.0))
    fitted = LogisticRegression(C=1e6).fit(_odds(shares)[:, None], true, sample_weight=weights)
    return CalibrationCurve(tuple(map(float, given)), tuple(map(float, fitted.predict_proba(odds[:, None])[:, 1])))


def _isotonic(shares: Array, true: NDArray[np.bool_], weights: Array) -> CalibrationCurve:
    """Return a rising step function by pooling adjacent violators (Zadrozny and Elkan 2002)."""
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(shares, true.astype(float), weights)
    return CalibrationCurve(tuple(map(float, fitted.X_thresholds_)), tuple(map(float, fitted.y_thresholds_)))


def _odds(shares: Array) -> Array:
    cut = np.clip(shares, 1e-6, 1 - 1e-6)
    odds: Array = np.log(cut / (1 - cut))
    return odds
