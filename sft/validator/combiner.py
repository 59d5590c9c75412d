"""A model that combines all evidence on a problem into the probability of each problem class.

A fitted combiner is a JSON file of plain numbers, a multinomial logistic regression on standardised features.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from harness.store.run_folder import write_atomically
from sft.validator.case import PROBLEM_EVIDENCE
from sft.verifier.combiner.combiner import LogisticModel, matrix, softmax

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CLASSES = tuple(ProblemClass)
FORMAT = 1
PENALTY = 0.3
"""The `C` of the logistic regression."""


@dataclass(frozen=True)
class ProblemCombiner:
    """A fitted combiner: columns are cut to `low` and `high`, what was seen in fitting; `about` says what that was."""

    names: tuple[str, ...]
    linear: LogisticModel
    low: tuple[float, ...]
    high: tuple[float, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def evidence(self) -> frozenset[str]:
        """Return the kinds of evidence that it was fitted on."""
        return frozenset(name.partition(".")[0] for name in self.names)

    @property
    def needs_scores(self) -> bool:
        """Tell whether it was fitted on what a model said."""
        return any(kind.needs_scores for kind in PROBLEM_EVIDENCE if kind.name in self.evidence)

    def predict(self, features: Mapping[str, float]) -> dict[ProblemClass, float]:
        """Return the probability of each class; they sum to one.

        Raises:
            HarnessError: a feature is missing, unknown, or no finite number.
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

    def save(self, path: Path) -> None:
        """Write the JSON form, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(self.record(), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> ProblemCombiner:
        """Return the combiner of a file.

        Raises:
            HarnessError: there is no such file, or it holds no combiner.
        """
        advice = f"fit one by oracle-factory fit-validator RUN -o {path}"
        try:
            return cls.of_record(json.loads(path.read_text("utf-8")))
        except OSError:
            raise HarnessError(f"no combiner {path}: {advice}") from None
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise HarnessError(f"{path}: is no combiner of problems ({str(error)[:120]}); {advice}") from None

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> ProblemCombiner:
        """Return the combiner of a JSON form that `record` gave.

        Raises:
            KeyError, TypeError, ValueError: it is no such form.
        """
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']!r}, of which {FORMAT} is known")
        names = tuple(map(str, record["names"]))
        low, high = (tuple(map(float, record[key])) for key in ("low", "high"))
        linear = LogisticModel.of_record(record, columns=len(names))
        if {len(low), len(high)} != {len(names)} or len(linear.bias) != len(CLASSES):
            raise ValueError("not one number for each feature, or not one row for each class")
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
        HarnessError: there are no rows, a class is not there, or rows have different features.
    """
    from sklearn.linear_model import LogisticRegression

    if not rows or set(labels) != set(CLASSES):
        raise HarnessError(
            f"expected problems of every class, found {sorted({label.name.lower() for label in labels})}"
        )
    names = tuple(sorted(rows[0]))
    table, weighed = matrix(rows, names), np.array(weights, dtype=np.float64)
    centre = np.average(table, axis=0, weights=weighed)
    spread = np.sqrt(np.average((table - centre) ** 2, axis=0, weights=weighed))
    spread[spread < 1e-9] = 1.0
    truth = np.array([CLASSES.index(label) for label in labels])
    fitted = LogisticRegression(C=PENALTY, max_iter=3000).fit((table - centre) / spread, truth, sample_weight=weighed)
    linear = LogisticModel(
        tuple(map(float, centre)),
        tuple(map(float, spread)),
        tuple(tuple(map(float, row)) for row in fitted.coef_),
        tuple(map(float, fitted.intercept_)),
    )
    low, high = tuple(map(float, table.min(axis=0))), tuple(map(float, table.max(axis=0)))
    return ProblemCombiner(names, linear, low, high, about or {})
