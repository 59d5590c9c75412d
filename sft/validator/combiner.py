"""A model that combines all evidence on a problem into the probability of each problem class.

A fitted combiner is a JSON file of plain numbers, a multinomial logistic regression on standardised features.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from sft.validator.case import PROBLEM_EVIDENCE
from sft.verifier.combiner.combiner import FittedCombiner, LogisticModel, matrix, softmax
from sft.verifier.combiner.combiner_fit import fit_logistic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CLASSES = tuple(ProblemClass)
FORMAT = 1
PENALTY = 0.3
"""The `C` of the logistic regression."""


@dataclass(frozen=True)
class ProblemCombiner(FittedCombiner):
    """A fitted combiner of evidence on problems.

    Columns are cut to `low` and `high`, the range of the fitted rows; `about` describes these rows.
    """

    noun = "combiner of problems"
    command = "oracle-factory fit-validator RUN"
    indent = 1

    names: tuple[str, ...]
    linear: LogisticModel
    low: tuple[float, ...]
    high: tuple[float, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def needs_scores(self) -> bool:
        """Tell whether it needs the scores of a model."""
        return any(kind.needs_scores for kind in PROBLEM_EVIDENCE if kind.name in self.evidence)

    def predict(self, features: Mapping[str, float]) -> dict[ProblemClass, float]:
        """Return the probability of each class; they sum to one.

        Raises:
            HarnessError: a feature is missing, unknown or not a finite number.
        """
        return dict(zip(CLASSES, map(float, self.predict_rows(matrix([features], self.names))[0]), strict=True))

    def predict_rows(self, rows: Array) -> Array:
        """Return the probabilities, rows x classes in the order of `ProblemClass`, of rows in the order of `names`."""
        return softmax(self.linear.sums(np.clip(rows, np.array(self.low), np.array(self.high))))

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "format": FORMAT,
            "about": dict(self.about),
            "names": list(self.names),
            "low": list(self.low),
            "high": list(self.high),
            **self.linear.record(),
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> ProblemCombiner:
        """Return the combiner of a JSON form that `record` gave.

        Raises:
            KeyError, TypeError, ValueError: the record does not have this form.
        """
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']!r}; expected {FORMAT}")
        names = tuple(map(str, record["names"]))
        low, high = (tuple(map(float, record[key])) for key in ("low", "high"))
        linear = LogisticModel.of_record(record, columns=len(names))
        if {len(low), len(high)} != {len(names)} or len(linear.bias) != len(CLASSES):
            raise ValueError("expected one number for each feature and one row for each class")
        return cls(names, linear, low, high, record["about"])


def fit(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[ProblemClass],
    weights: Sequence[float],
    *,
    about: Mapping[str, Any] | None = None,
) -> ProblemCombiner:
    """Return a combiner fitted on rows of features with their classes.

    Raises:
        HarnessError: there are no rows, a class has no row, or rows have different features.
    """
    if not rows or set(labels) != set(CLASSES):
        raise HarnessError(
            f"expected problems of every class, found {sorted({label.name.lower() for label in labels})}"
        )
    names = tuple(sorted(rows[0]))
    table, weighed = matrix(rows, names), np.array(weights, dtype=np.float64)
    truth = np.array([CLASSES.index(label) for label in labels])
    linear = fit_logistic(table, truth, weighed, classes=len(CLASSES), penalty=PENALTY, most_rounds=3_000)
    low, high = tuple(map(float, table.min(axis=0))), tuple(map(float, table.max(axis=0)))
    return ProblemCombiner(names, linear, low, high, about or {})
