"""What does the fine-tuned model say of each line of a solution?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sft.marks import Mark

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Twin:
    """A line with one thing changed, and how much likelier it is: `gain` is in nats, over the whole line.

    `change` says what was changed in a few words, `kind` which sort of change it is.
    """

    place: str
    text: str
    kind: str
    change: str
    gain: float


@dataclass(frozen=True, slots=True)
class PlaceScore:
    """What the model gives of one place: `marks` the probability of each mark, given that all before was right.

    `loglik` is the sum of the log-probabilities of its tokens, in nats, `tokens` how many there are.
    """

    place: str
    marks: Mapping[Mark, float]
    loglik: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Scores:
    """The places of an item in order, and the likelier twins of its lines, the likeliest first."""

    places: tuple[PlaceScore, ...]
    twins: tuple[Twin, ...] = ()

    def first_error(self) -> dict[tuple[str, Mark], float]:
        """Return the probability that the first error stands at a place and is of a class; what is left is `correct`."""
        found: dict[tuple[str, Mark], float] = {}
        sound = 1.0
        for one in self.places:
            for mark in Mark:
                if mark is not Mark.RIGHT:
                    found[one.place, mark] = sound * one.marks[mark]
            sound *= one.marks[Mark.RIGHT]
        return found
