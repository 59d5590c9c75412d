"""The place and the kind of an error of reasoning in a flawed solution, by two fitted regressions over the features of each place."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from harness.solution.labels import ErrorType
from sft.fitted.model import FittedModel, fit
from sft.verifier.case import Case
from sft.verifier.diagnosis.place_features import place_features

PLACES, KINDS = "places.json", "kinds.json"
ELSEWHERE, HERE = "elsewhere", "here"
LEAST_SHARE = 0.3
"""A kind with a lower probability is not named: the error is conceptual, of unknown kind."""
EVENING = 0.7
"""A kind with n examples weighs n to the power of one minus this, so that the model does not name the commonest kinds only."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The likeliest place of the first error, and the likeliest kind of it, `None` where none is likely enough."""

    place: str
    error_type: ErrorType | None


@dataclass(frozen=True, slots=True)
class DiagnosisModel:
    """Regressions over the features of a place: `places` tells whether the error is there, `kinds` of which kind it is."""

    places: FittedModel
    kinds: FittedModel

    def diagnosis(self, case: Case) -> Diagnosis:
        """Return the place and kind of the error of a flawed solution; raises `HarnessError` where the features are not those of the fit."""
        return self.of_features(place_features(case))

    def of_features(self, features: Mapping[str, Mapping[str, float]]) -> Diagnosis:
        """Return the diagnosis of places by their features; errors as in `diagnosis`."""
        here = self.places.log_odds(self.places.rows_of(features.values()))
        place = [*features][int((here[:, 1] - here[:, 0]).argmax())]
        (chances,) = self.kinds.probabilities(self.kinds.rows_of([features[place]]))
        best = int(chances.argmax())
        return Diagnosis(place, ErrorType(self.kinds.classes[best]) if chances[best] >= LEAST_SHARE else None)

    def save(self, folder: Path) -> None:
        """Write the files of both regressions."""
        self.places.save(folder / PLACES)
        self.kinds.save(folder / KINDS)


@cache
def diagnosis_model() -> DiagnosisModel:
    """Return the model that comes with the package."""
    return DiagnosisModel(*(FittedModel.of_file(Path(__file__).with_name(name)) for name in (PLACES, KINDS)))


@dataclass(frozen=True, slots=True)
class KnownError:
    """A flawed solution: its source and problem, the features of its places, and where and of which kind its error is."""

    source: str
    problem_id: str
    features: Mapping[str, Mapping[str, float]]
    line: str
    error_type: ErrorType


def fit_diagnosis(errors: Sequence[KnownError], about: Mapping[str, Any]) -> DiagnosisModel:
    """Return the model of these errors; every source has the same weight."""
    sources = Counter(error.source for error in errors)
    counts = Counter((error.source, error.error_type) for error in errors)
    rows = [
        (features, HERE if place == error.line else ELSEWHERE, 1 / sources[error.source])
        for error in errors
        for place, features in error.features.items()
    ]
    wrong = [
        (error.features[error.line], str(error.error_type), counts[error.source, error.error_type] ** -EVENING)
        for error in errors
    ]
    about = {**about, "errors": dict(sources)}
    return DiagnosisModel(
        fit(*_columns(rows), classes=(ELSEWHERE, HERE), about=about),
        fit(*_columns(wrong), classes=sorted({kind for _, kind, _ in wrong}), about=about),
    )


def _columns(
    rows: Sequence[tuple[Mapping[str, float], str, float]],
) -> tuple[list[Mapping[str, float]], list[str], list[float]]:
    """Return the features, the labels and the weights of rows, the mean weight being one."""
    whole = sum(weight for *_, weight in rows) / len(rows)
    return [row for row, *_ in rows], [label for _, label, _ in rows], [weight / whole for *_, weight in rows]
