"""The scores that the fine-tuned model gives to each line of a solution and to the twins of the line."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from harness.errors import HarnessError
from harness.json_form import Integer, Number, rounded
from harness.solution.labels import ErrorType
from sft.models.line_marks import Mark
from sft.samples.solution_judgement import HintKind

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
Nats = Annotated[Number, rounded(4)]


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
    gain: Nats = 0.0
    step: Nats = 0.0
    right: Annotated[Number, rounded(5)] = 0.0

    def __post_init__(self) -> None:
        """Refuse a kind without an error type.

        Raises:
            HarnessError: the kind is not one of `TYPE_OF_TWIN`.
        """
        if self.kind not in TYPE_OF_TWIN:
            raise HarnessError(
                f"{self.kind!r} is not a kind of twin; expected one of {', '.join(sorted(TYPE_OF_TWIN))}"
            )


@dataclass(frozen=True, slots=True)
class PlaceScore:
    """The scores of one place: `marks` are the probabilities of each mark, given that all earlier places are right.

    `loglik` is the sum of the log-probabilities of its tokens, in nats, `tokens` their number.
    """

    place: str
    marks: Annotated[Mapping[Mark, Annotated[Number, rounded(6)]], Field(min_length=len(Mark))]
    loglik: Nats
    tokens: Integer


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
