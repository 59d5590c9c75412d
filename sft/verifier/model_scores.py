"""The scores that the fine-tuned model gives to each line of a solution and to the twins of the line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.solution.labels import ErrorType
from sft.models.line_marks import Mark
from sft.samples.solution_judgement import HintKind

if TYPE_CHECKING:
    from collections.abc import Mapping

MARKED = HintKind("marked by the model", None)
TWIN = HintKind("likelier with one change", None)
TYPE_OF_TWIN = {
    "operand": ErrorType.WRONG_REFERENCE_GROUP,
    "share": ErrorType.INPUT_MISREPRESENTATION,
    "unit": ErrorType.WRONG_REFERENCE_GROUP,
    "operator": ErrorType.OPERATOR_SWAP,
    "turned": ErrorType.OPERAND_SWAP,
    "dropped": ErrorType.EXTRANEOUS_OPERATION,
    "added": ErrorType.FAILURE_TO_UPDATE_STATE,
    "statement": ErrorType.INPUT_MISREPRESENTATION,
    "answer": ErrorType.FINAL_ANSWER_SELECTION,
    "result": ErrorType.COMPUTATIONAL,
}
"""By kind of twin: the type of the error that its change repairs."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A line with one change, and `gain`, its log-likelihood ratio to the original line, in nats.

    `change` describes the change in a few words, `kind` is its kind. `step` is the gain of the first token that differs, in
    nats, and `right` the probability of the mark `right` after the twin; before scoring, all three are zero.
    """

    place: str
    text: str
    kind: str
    change: str
    gain: float = 0.0
    step: float = 0.0
    right: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a kind without an error type.

        Raises:
            HarnessError: the kind is not one of `TYPE_OF_TWIN`.
        """
        if self.kind not in TYPE_OF_TWIN:
            raise HarnessError(
                f"{self.kind!r} is not a kind of twin; expected one of {', '.join(sorted(TYPE_OF_TWIN))}"
            )

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "place": self.place,
            "text": self.text,
            "kind": self.kind,
            "change": self.change,
            "gain": round(self.gain, 4),
            "step": round(self.step, 4),
            "right": round(self.right, 5),
        }


@dataclass(frozen=True, slots=True)
class PlaceScore:
    """The scores of one place: `marks` are the probabilities of each mark, given that all earlier places are right.

    `loglik` is the sum of the log-probabilities of its tokens, in nats, `tokens` their number.
    """

    place: str
    marks: Mapping[Mark, float]
    loglik: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of the places of an item in order, and of the twins of its lines, the greatest gain first.

    An item that is too long for the model has scores for its first places only.
    """

    places: tuple[PlaceScore, ...]
    twins: tuple[Twin, ...] = ()

    def first_error(self) -> dict[tuple[str, Mark], float]:
        """Return the probability of the first error by place and mark; the rest to one is the probability of `correct`."""
        probabilities: dict[tuple[str, Mark], float] = {}
        sound = 1.0
        for place in self.places:
            for mark in Mark:
                if mark is not Mark.RIGHT:
                    probabilities[place.place, mark] = sound * place.marks[mark]
            sound *= place.marks[Mark.RIGHT]
        return probabilities

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        places = [
            {
                "place": place.place,
                "marks": {str(mark): round(place.marks[mark], 6) for mark in Mark},
                "loglik": round(place.loglik, 4),
                "tokens": place.tokens,
            }
            for place in self.places
        ]
        return {"places": places, "twins": [twin.record() for twin in self.twins]}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Scores:
        """Return the scores of a JSON form that `record` gave."""
        places = tuple(
            PlaceScore(
                place["place"],
                {mark: float(place["marks"][str(mark)]) for mark in Mark},
                float(place["loglik"]),
                int(place["tokens"]),
            )
            for place in record["places"]
        )
        return cls(places, tuple(Twin(**twin) for twin in record["twins"]))
