"""The fitted model that says in which place of a flawed solution the error is, and of which kind."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, json_form, read_record
from harness.solution.labels import ErrorType
from harness.store.run_folder import write_atomically
from sft.verifier.case import Case
from sft.verifier.combiner.boosted_trees import BoostedForest
from sft.verifier.combiner.combiner import softmax
from sft.verifier.diagnosis.place_features import place_features

Array = NDArray[np.float64]

WEIGHTS = Path(__file__).with_name("weights.json")
LEAST_SHARE = 0.3
"""A kind with a lower probability is not named: the error is conceptual, of unknown kind."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The probability of each place to hold the first error, and of each kind of error at each place."""

    places: Mapping[str, float]
    kinds: Mapping[str, Mapping[ErrorType, float]]

    def kind(self, place: str) -> ErrorType | None:
        """Return the likeliest kind at a place, `None` where none is likely enough."""
        chances = self.kinds[place]
        best = max(chances, key=lambda error_type: chances[error_type])
        return best if chances[best] >= LEAST_SHARE else None


@dataclass(frozen=True, kw_only=True)
class DiagnosisModel:
    """Forests over the features of a place: `places` for whether the error is there, `kinds` for its kind if it is.

    `types` are the kinds in the order of the classes of `kinds`; `about` says on what it was fitted.
    """

    command: ClassVar[str] = "python -m benchmarks.diagnosis --fit RUN"

    format: Literal[1] = 1
    about: Mapping[str, Any]
    names: tuple[str, ...]
    types: Annotated[tuple[ErrorType, ...], Field(min_length=2)]
    places: BoostedForest
    kinds: BoostedForest

    def __post_init__(self) -> None:
        """Check that the forests are of the features and of the kinds.

        Raises:
            ValueError: they are not.
        """
        for forest, classes in ((self.places, 2), (self.kinds, len(self.types))):
            forest.require_columns(len(self.names))
            if forest.classes != classes:
                raise ValueError(f"a forest of {forest.classes} classes, of {classes}")

    @cached_property
    def _sorted(self) -> frozenset[str]:
        return frozenset(self.names)

    def diagnosis(self, case: Case) -> Diagnosis:
        """Return the place and kind of the error of a flawed solution by its lines.

        Raises:
            HarnessError: the features are not those of the fit.
        """
        features = place_features(case)
        if any(row.keys() != self._sorted for row in features.values()):
            raise HarnessError(f"{WEIGHTS.name}: fitted on other features; fit it again: {runnable(self.command)}")
        return self.of_rows(list(features), np.array([[row[name] for name in self.names] for row in features.values()]))

    def of_rows(self, places: Sequence[str], rows: Array) -> Diagnosis:
        """Return the diagnosis of places by their rows of features."""
        odds = self.places.sums(rows)
        shares = softmax((odds[:, 1] - odds[:, 0])[None, :])[0]
        kinds = softmax(self.kinds.sums(rows))
        return Diagnosis(
            dict(zip(places, map(float, shares), strict=True)),
            {
                place: dict(zip(self.types, map(float, row), strict=True))
                for place, row in zip(places, kinds, strict=True)
            },
        )

    def save(self, path: Path) -> None:
        """Write the JSON form."""
        write_atomically(path, json.dumps(json_form(self), separators=(",", ":")) + "\n")


@cache
def diagnosis_model() -> DiagnosisModel:
    """Return the model that comes with the package.

    Raises:
        HarnessError: its file is missing or damaged.
    """
    try:
        return read_record(DiagnosisModel, json.loads(WEIGHTS.read_text("utf-8")))
    except (OSError, ValueError, MalformedRecordError) as error:
        raise HarnessError(f"{WEIGHTS}: {str(error)[:160]}; fit it: {runnable(DiagnosisModel.command)}") from None
