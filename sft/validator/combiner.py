"""A model that combines all evidence on a problem into the probability of each problem class.

A fitted combiner is a JSON file of plain numbers, a multinomial logistic regression on standardised features.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from harness.json_form import Number
from sft.validator.case import PROBLEM_EVIDENCE
from sft.verifier.combiner.combiner import Array, FittedCombiner, LogisticModel, matrix, softmax
from sft.verifier.combiner.combiner_fit import fit_logistic

CLASSES = tuple(ProblemClass)
PENALTY = 0.3
"""The `C` of the logistic regression."""


@dataclass(frozen=True, kw_only=True)
class ProblemCombiner(FittedCombiner):
    """A fitted combiner of evidence on problems."""

    noun = "combiner of problems"
    command = "oracle-factory fit-validator RUN"
    indent = 1

    centre: tuple[Number, ...]
    spread: tuple[Number, ...]
    weights: tuple[tuple[Number, ...], ...]
    bias: tuple[Number, ...]

    def __post_init__(self) -> None:
        """Check that there is a number for each feature and a row for each class.

        Raises:
            ValueError: there is not.
        """
        self.linear.require_columns(len(self.names))
        if {len(self.low), len(self.high)} != {len(self.names)} or self.linear.classes != len(CLASSES):
            raise ValueError("expected one number for each feature and one row for each class")

    @cached_property
    def linear(self) -> LogisticModel:
        """Return the regression."""
        return LogisticModel(centre=self.centre, spread=self.spread, weights=self.weights, bias=self.bias)

    @property
    def needs_scores(self) -> bool:
        """Tell whether it needs the scores of a model."""
        return any(kind.needs_scores for kind in PROBLEM_EVIDENCE if kind.name in self.evidence)

    def predict(self, features: Mapping[str, float], unsolvable: float | None = None) -> dict[ProblemClass, float]:
        """Return the probability of each class; they sum to one.

        `unsolvable` is the share of problems without an answer among those that are judged, by default that of the fit.

        Raises:
            HarnessError: a feature is missing, unknown or not a finite number.
        """
        shares = dict(zip(CLASSES, map(float, self.predict_rows(matrix([features], self.names))[0]), strict=True))
        fitted = self.about.get("unsolvable_share")
        if unsolvable is None or not isinstance(fitted, int | float) or not 0 < fitted < 1:
            return shares
        ratio = {
            problem_class: (1 - unsolvable) / (1 - fitted)
            if problem_class is ProblemClass.SOLVABLE
            else unsolvable / fitted
            for problem_class in CLASSES
        }
        total = sum(shares[problem_class] * ratio[problem_class] for problem_class in CLASSES)
        return {problem_class: shares[problem_class] * ratio[problem_class] / total for problem_class in CLASSES}

    def predict_rows(self, rows: Array) -> Array:
        """Return the probabilities, rows x classes in the order of `ProblemClass`, of rows in the order of `names`."""
        return softmax(self.linear.sums(np.clip(rows, np.array(self.low), np.array(self.high))))


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
    return ProblemCombiner(
        about=about or {},
        names=names,
        low=low,
        high=high,
        centre=linear.centre,
        spread=linear.spread,
        weights=linear.weights,
        bias=linear.bias,
    )
