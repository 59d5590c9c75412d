"""A fitted regression that combines all evidence on a problem into the probability of each problem class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from sft.fitted.model import FittedModel
from sft.fitted.prior import shifted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

ORDER = (ProblemClass.SOLVABLE, ProblemClass.CONTRADICTORY, ProblemClass.UNDERSPECIFIED)
"""The classes in the order of the regression: the sound one first."""
CLASSES = tuple(problem_class.name.lower() for problem_class in ORDER)


@dataclass(frozen=True, slots=True)
class ProblemCombiner:
    """A fitted combiner of evidence on problems."""

    model: FittedModel

    @property
    def evidence(self) -> frozenset[str]:
        """Return the names of the kinds of evidence that it needs."""
        return self.model.evidence

    def predict(self, features: Mapping[str, float], unsolvable: float | None = None) -> dict[ProblemClass, float]:
        """Return the probability of each class; they sum to one.

        `unsolvable` is the share of problems without an answer among those that are judged, by default that of the fit.

        Raises:
            HarnessError: a feature is missing, unknown or not a finite number.
        """
        rows = self.model.probabilities(self.model.rows_of([features]))
        moved = rows if unsolvable is None else shifted(rows, self.model.prior, unsolvable)
        return dict(zip(ORDER, map(float, moved[0]), strict=True))

    def save(self, path: Path) -> None:
        """Write the file of the regression."""
        self.model.save(path)

    @classmethod
    def load(cls, path: Path) -> ProblemCombiner:
        """Return the combiner of a file.

        Raises:
            HarnessError: there is no such file, or it holds no combiner of problems.
        """
        command = runnable(f"oracle-factory fit-validator RUN -o {path}")
        model = FittedModel.load(path, command)
        if model.classes != CLASSES:
            raise HarnessError(
                f"{path}: is not a combiner of problems ({', '.join(model.classes)}); fit one: {command}"
            )
        return cls(model)


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
    from sft.fitted.fit import fit as fit_model

    if not rows or set(labels) != set(ProblemClass):
        raise HarnessError(
            f"expected problems of every class, found {sorted({label.name.lower() for label in labels})}"
        )
    return ProblemCombiner(
        fit_model(rows, [label.name.lower() for label in labels], weights, classes=CLASSES, about=about)
    )
