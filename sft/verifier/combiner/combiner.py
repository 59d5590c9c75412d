"""A fitted model that combines all evidence on a solution into the probability of each error class.

A fitted combiner is a JSON file of plain numbers; prediction needs numpy alone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, Number, json_form, read_record
from harness.solution.labels import ErrorClass
from harness.store.run_folder import write_atomically
from sft.verifier.combiner.boosted_trees import BoostedForest

Array = NDArray[np.float64]

SOUND = "correct"
CLASSES = (SOUND, *map(str, ErrorClass))
STYLE = frozenset(
    {
        *("arithmetic.computing_lines", "arithmetic.share_computing", "arithmetic.unread"),
        *("final_answer.missing", "final_answer.unread", "unused.numbers_share"),
        *("structure.lines", "structure.steps", "structure.operations", "structure.numbers"),
        *("structure.words_of_question", "structure.sentences_of_question"),
    }
)
"""Features that tell how the authors of a source write, whatever is wrong: no combiner is fitted on them."""
FLOOR = 1e-4
"""The lowest probability of a class; no evidence excludes a class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticModel:
    """A multinomial logistic regression on standardised columns: `weights` is classes x columns, `bias` has one value for each class."""

    kind: Literal["logistic"] = "logistic"
    centre: tuple[Number, ...]
    spread: tuple[Number, ...]
    weights: tuple[tuple[Number, ...], ...]
    bias: tuple[Number, ...]

    @property
    def classes(self) -> int:
        """Return the number of classes."""
        return len(self.bias)

    def sums(self, rows: Array) -> Array:
        """Return the log-odds of each class: rows x columns in, rows x classes out."""
        scaled = (rows - np.array(self.centre)) / np.array(self.spread)
        sums: Array = scaled @ np.array(self.weights).T + np.array(self.bias)
        return sums

    def require_columns(self, columns: int) -> None:
        """Check the number of columns.

        Raises:
            ValueError: it is another one.
        """
        if {len(column) for column in (self.centre, self.spread, *self.weights)} != {columns} or len(
            self.weights
        ) != len(self.bias):
            raise ValueError(f"expected a regression of {columns} columns")


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """The calibrated value of each probability: linear between the knots, constant outside of them."""

    given: tuple[Number, ...]
    true: tuple[Number, ...]


@dataclass(frozen=True, kw_only=True)
class FittedCombiner:
    """The common part of fitted combiners: the kinds of evidence that they need, and their JSON file.

    Columns are cut to `low` and `high`, the range of the fitted rows, so that no outlier has a greater weight. `about`
    describes the rows, the date and the metrics. A subclass gives the noun and the fitting command for messages, and the
    indent of the JSON text.
    """

    noun: ClassVar[str]
    command: ClassVar[str]
    indent: ClassVar[int | None] = None

    format: Literal[1] = 1
    about: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...]
    low: tuple[Number, ...]
    high: tuple[Number, ...]

    @cached_property
    def evidence(self) -> frozenset[str]:
        """Return the names of the kinds of evidence that it needs."""
        return frozenset(name.partition(".")[0] for name in self.names)

    def save(self, path: Path) -> None:
        """Write the JSON form; a file that is cut off is never left."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(json_form(self), ensure_ascii=False, indent=self.indent) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the combiner of a file.

        Raises:
            HarnessError: there is no such file, or it holds no combiner.
        """
        advice = f"fit one: {runnable(f'{cls.command} -o {path}')}"
        try:
            return read_record(cls, json.loads(path.read_text("utf-8")))
        except OSError:
            raise HarnessError(f"no combiner {path}: {advice}") from None
        except (ValueError, MalformedRecordError) as error:
            raise HarnessError(f"{path}: is no {cls.noun} ({str(error)[:160]}); {advice}") from None


@dataclass(frozen=True, kw_only=True)
class Combiner(FittedCombiner):
    """A fitted combiner of evidence on solutions.

    `classes` are the fitted classes, in the order of `CLASSES`. The mean of the parts' probabilities is calibrated by the
    curve of each class, if there are curves, and normalised to a sum of one. `typical` are the medians over correct solutions.
    `prior` is the share of flawed solutions, by weight, that it was fitted on. `ignored` are features that evidence gives and that
    were left out of the fit.
    """

    noun = "combiner"
    command = "oracle-factory fit SAMPLES.jsonl"

    classes: tuple[str, ...]
    typical: tuple[Number, ...]
    curves: tuple[CalibrationCurve, ...] = ()
    prior: Annotated[Number, Field(gt=0, lt=1)] = 0.5
    ignored: tuple[str, ...] = ()
    parts: tuple[Annotated[LogisticModel | BoostedForest, Field(discriminator="kind")], ...]

    def __post_init__(self) -> None:
        """Check that all parts are of the classes and of the features.

        Raises:
            ValueError: they are not.
        """
        columns = len(self.names)
        for part in self.parts:
            part.require_columns(columns)
        widths = [part.classes for part in self.parts]
        if set(widths) != {len(self.classes)} or not set(self.classes) <= set(CLASSES):
            raise ValueError(f"parts of {widths} classes for {self.classes}")
        if {len(self.low), len(self.high), len(self.typical)} != {columns} or len(self.curves) not in {
            0,
            len(self.classes),
        }:
            raise ValueError(f"expected one number for each of {columns} features, and no curve or one for each class")

    def predict(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the probability of each of `CLASSES`; they sum to one, and a class that was not fitted has zero.

        Raises:
            HarnessError: a feature is missing, unknown or not a finite number.
        """
        return dict(zip(CLASSES, map(float, self.predict_rows(self.rows_of([features]))[0]), strict=True))

    def rows_of(self, features: Iterable[Mapping[str, float]]) -> Array:
        """Return rows x columns of named features, without the ignored ones; errors as in `predict`."""
        ignored = frozenset(self.ignored)
        if not ignored:
            return matrix(features, self.names)
        kept = ({name: value for name, value in row.items() if name not in ignored} for row in features)
        return matrix(kept, self.names)

    def predict_rows(self, rows: Array) -> Array:
        """Return the probabilities, rows x `CLASSES`, of rows whose columns are in the order of `names`."""
        cut = np.clip(rows, np.array(self.low), np.array(self.high))
        mean = np.mean([softmax(part.sums(cut)) for part in self.parts], axis=0)
        probabilities = np.zeros((len(rows), len(CLASSES)))
        probabilities[:, [CLASSES.index(name) for name in self.classes]] = calibrated_probabilities(mean, self.curves)
        return probabilities

    def weigh(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the nats by which each kind of evidence raises the log-odds of an error, compared with typical correct solutions."""
        row = self.rows_of([features])[0]
        groups = [name.partition(".")[0] for name in self.names]
        kinds = sorted(self.evidence)
        rows = np.tile(row, (len(kinds) + 1, 1))
        for index, kind in enumerate(kinds, start=1):
            of_kind = np.array([group == kind for group in groups])
            rows[index, of_kind] = np.array(self.typical)[of_kind]
        sound = np.clip(self.predict_rows(rows)[:, 0], FLOOR, 1 - FLOOR)
        odds = np.log((1 - sound) / sound)
        return {kind: float(odds[0] - odds[index]) for index, kind in enumerate(kinds, start=1)}


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
            message = f"these features are not those the combiner was fitted on ({differences}); fit it again: {runnable('oracle-factory fit FILE -o FILE')}"
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
