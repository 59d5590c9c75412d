"""A fitted model that combines all evidence on a solution into the probability of each error class.

A fitted combiner is a JSON file of plain numbers; prediction needs numpy alone.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from harness.errors import HarnessError
from harness.solution.labels import ErrorClass
from harness.store.run_folder import write_atomically
from sft.verifier.combiner.boosted_trees import BoostedForest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SOUND = "correct"
CLASSES = (SOUND, *map(str, ErrorClass))
FORMAT = 1
FLOOR = 1e-4
"""The lowest probability of a class; no evidence excludes a class."""


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """A multinomial logistic regression on standardised columns: `weights` is classes x columns, `bias` has one value for each class."""

    centre: tuple[float, ...]
    spread: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    def sums(self, rows: Array) -> Array:
        """Return the log-odds of each class: rows x columns in, rows x classes out."""
        scaled = (rows - np.array(self.centre)) / np.array(self.spread)
        sums: Array = scaled @ np.array(self.weights).T + np.array(self.bias)
        return sums

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "centre": list(self.centre),
            "spread": list(self.spread),
            "weights": [list(row) for row in self.weights],
            "bias": list(self.bias),
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any], *, columns: int) -> LogisticModel:
        """Return the regression of a JSON form that `record` gave.

        Raises:
            ValueError: it has another number of columns.
        """
        weights = tuple(tuple(map(float, row)) for row in record["weights"])
        model = cls(tuple(record["centre"]), tuple(record["spread"]), weights, tuple(record["bias"]))
        if any(len(column) != columns for column in (model.centre, model.spread, *weights)) or len(weights) != len(
            model.bias
        ):
            raise ValueError(f"expected a regression of {columns} columns")
        return model


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """The calibrated value of each probability: linear between the knots, constant outside of them."""

    given: tuple[float, ...]
    true: tuple[float, ...]


class FittedCombiner(ABC):
    """The common part of fitted combiners: the kinds of evidence that they need, and their JSON file.

    A subclass gives the noun and the fitting command for messages, and the indent of the JSON text.
    """

    names: tuple[str, ...]
    noun: ClassVar[str]
    command: ClassVar[str]
    indent: ClassVar[int | None] = None

    @cached_property
    def evidence(self) -> frozenset[str]:
        """Return the names of the kinds of evidence that it needs."""
        return frozenset(name.partition(".")[0] for name in self.names)

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """Return the JSON form."""

    @classmethod
    @abstractmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the combiner of a JSON form that `record` gave."""

    def save(self, path: Path) -> None:
        """Write the JSON form; a file that is cut off is never left."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(self.record(), ensure_ascii=False, indent=self.indent) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the combiner of a file.

        Raises:
            HarnessError: there is no such file, or it holds no combiner.
        """
        advice = f"fit one by {cls.command} -o {path}"
        try:
            return cls.of_record(json.loads(path.read_text("utf-8")))
        except OSError:
            raise HarnessError(f"no combiner {path}: {advice}") from None
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            reason = f"{type(error).__name__}: {str(error)[:120]}"
            raise HarnessError(f"{path}: is no {cls.noun} ({reason}); {advice}") from None


@dataclass(frozen=True)
class Combiner(FittedCombiner):
    """A fitted combiner of evidence on solutions.

    `classes` are the fitted classes, in the order of `CLASSES`. The mean of the parts' probabilities is calibrated by the
    curve of each class, if there are curves, and normalised to a sum of one. Columns are cut to `low` and `high`, the range
    of the fitted rows, so that no outlier has a greater weight. `typical` are the medians over correct solutions. `about`
    describes the samples, the date and the metrics of cross-fitting.
    """

    noun = "combiner"
    command = "oracle-factory fit SAMPLES.jsonl"

    names: tuple[str, ...]
    classes: tuple[str, ...]
    parts: tuple[LogisticModel | BoostedForest, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    typical: tuple[float, ...]
    curves: tuple[CalibrationCurve, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)

    def predict(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the probability of each of `CLASSES`; they sum to one, and a class that was not fitted has zero.

        Raises:
            HarnessError: a feature is missing, unknown or not a finite number.
        """
        return dict(zip(CLASSES, map(float, self.predict_rows(matrix([features], self.names))[0]), strict=True))

    def predict_rows(self, rows: Array) -> Array:
        """Return the probabilities, rows x `CLASSES`, of rows whose columns are in the order of `names`."""
        cut = np.clip(rows, np.array(self.low), np.array(self.high))
        mean = np.mean([softmax(part.sums(cut)) for part in self.parts], axis=0)
        probabilities = np.zeros((len(rows), len(CLASSES)))
        probabilities[:, [CLASSES.index(name) for name in self.classes]] = calibrated_probabilities(mean, self.curves)
        return probabilities

    def weigh(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the nats by which each kind of evidence raises the log-odds of an error, compared with typical correct solutions."""
        row = matrix([features], self.names)[0]
        groups = [name.partition(".")[0] for name in self.names]
        kinds = sorted(self.evidence)
        rows = np.tile(row, (len(kinds) + 1, 1))
        for index, kind in enumerate(kinds, start=1):
            of_kind = np.array([group == kind for group in groups])
            rows[index, of_kind] = np.array(self.typical)[of_kind]
        sound = np.clip(self.predict_rows(rows)[:, 0], FLOOR, 1 - FLOOR)
        odds = np.log((1 - sound) / sound)
        return {kind: float(odds[0] - odds[index]) for index, kind in enumerate(kinds, start=1)}

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "format": FORMAT,
            "about": dict(self.about),
            "classes": list(self.classes),
            "names": list(self.names),
            "low": list(self.low),
            "high": list(self.high),
            "typical": list(self.typical),
            "curves": [{"given": list(curve.given), "true": list(curve.true)} for curve in self.curves],
            "parts": [
                {"kind": "boosted" if isinstance(part, BoostedForest) else "logistic", **part.record()}
                for part in self.parts
            ],
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Combiner:
        """Return the combiner of a JSON form that `record` gave.

        Raises:
            KeyError, TypeError, ValueError: the record does not have this form.
        """
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']!r}; expected {FORMAT}")
        names, classes = tuple(record["names"]), tuple(record["classes"])
        parts: list[LogisticModel | BoostedForest] = []
        for part in record["parts"]:
            read = BoostedForest if part["kind"] == "boosted" else LogisticModel
            parts.append(read.of_record(part, columns=len(names)))
        widths = [len(fitted.base if isinstance(fitted, BoostedForest) else fitted.bias) for fitted in parts]
        if not parts or set(widths) != {len(classes)} or not set(classes) <= set(CLASSES):
            raise ValueError(f"parts of {widths} classes for {classes}")
        low, high, typical = (tuple(map(float, record[key])) for key in ("low", "high", "typical"))
        curves = tuple(CalibrationCurve(tuple(curve["given"]), tuple(curve["true"])) for curve in record["curves"])
        if {len(low), len(high), len(typical)} != {len(names)} or len(curves) not in {0, len(classes)}:
            raise ValueError(
                f"expected one number for each of {len(names)} features, and no curve or one for each class"
            )
        return cls(names, classes, tuple(parts), low, high, typical, curves, record["about"])


def matrix(rows: Iterable[Mapping[str, float]], names: Sequence[str]) -> Array:
    """Return rows of named features as rows x columns in the order of the names.

    Raises:
        HarnessError: a row lacks a feature, has an unknown one, or a value is not a finite number.
    """
    wanted = set(names)
    table = []
    for row in rows:
        if row.keys() != wanted:
            missing, extra = sorted(wanted - row.keys()), sorted(row.keys() - wanted)
            differences = "; ".join(
                f"{word} {', '.join(features[:5])}" + (f" and {len(features) - 5} more" if len(features) > 5 else "")
                for word, features in (("missing:", missing), ("unknown:", extra))
                if features
            )
            message = f"these features are not those the combiner was fitted on ({differences}); fit it again by oracle-factory fit"
            raise HarnessError(message)
        table.append([float(row[name]) for name in names])
    array = np.array(table, dtype=np.float64).reshape(len(table), len(names))
    if not np.isfinite(array).all():
        column = int(np.argwhere(~np.isfinite(array))[0][1])
        raise HarnessError(f"the feature {names[column]!r} is not a finite number")
    return array


def softmax(sums: Array) -> Array:
    """Return the probabilities of each row of log-odds: rows x classes, both in and out."""
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares


def calibrated_probabilities(shares: Array, curves: Sequence[CalibrationCurve]) -> Array:
    """Return probabilities after the curve of each class, each at least `FLOOR`, with rows that sum to one."""
    if curves:
        shares = np.stack(
            [np.interp(shares[:, index], curve.given, curve.true) for index, curve in enumerate(curves)], axis=1
        )
    shares = np.maximum(shares, FLOOR)
    whole: Array = shares / shares.sum(axis=1, keepdims=True)
    return whole
