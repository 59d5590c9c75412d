"""Where in the question does each input of a solution stand, and which of its numbers belong to none?"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from harness.text.forms import Form, written_at
from harness.text.mentions import Mention, mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.domain import Exact
    from harness.solution.trace import Entry


class Unlocated(enum.StrEnum):
    """Why an input of a solution has no place of its own in the question."""

    MISSING = "no number of the question has its value"
    REPEATED = "several numbers of the question have its value"
    SHARED = "another input has the same value"
    FORM = "the number is part of a date, a time, a name or an ordinal"


@dataclass(frozen=True, slots=True)
class Place:
    """A number of the question and the inputs it gives; it stands from `start` to `end`, written in a form."""

    variables: tuple[str, ...]
    value: Exact
    start: int
    end: int
    form: Form

    def write(self, value: Exact) -> str | None:
        """Write another value as this one is written; `None` where that form cannot say it."""
        return self.form.write(value)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the question, without the white space around it."""

    start: int
    end: int
    text: str

    @property
    def asks(self) -> bool:
        """Tell whether it is a question or a request for the answer."""
        return self.text.endswith("?") or _REQUEST.match(self.text) is not None


_REQUEST = re.compile(r"(?:Find|Calculate|Determine|Compute|Figure out|Work out|What|How)\b")
_END = re.compile(
    r"(?<=[.?!])(?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|St|vs|No)\.)(?<!\bMrs\.)[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z0-9$])|\s*\n\s*"
)


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text in order."""
    found, start = [], 0
    for end, following in [*((match.start(), match.end()) for match in _END.finditer(text)), (len(text), len(text))]:
        words = text[start:end]
        if words.strip():
            lead = len(words) - len(words.lstrip())
            found.append(Sentence(start + lead, start + lead + len(words.strip()), words.strip()))
        start = following
    return tuple(found)


@dataclass(frozen=True)
class Question:
    """The text of a question, its numbers, and which inputs of the solution they give.

    `places` are the numbers that give an input, in order; `unlocated` says of the other inputs why they have no place.
    """

    text: str
    mentions: tuple[Mention, ...]
    places: tuple[Place, ...]
    unlocated: Mapping[str, Unlocated]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Return the sentences in order."""
        return sentences_of(self.text)

    @cached_property
    def place_of(self) -> Mapping[str, Place]:
        """Return the places by variable."""
        return {name: place for place in self.places for name in place.variables}

    @cached_property
    def loose(self) -> tuple[Mention, ...]:
        """Return the numbers that give no input."""
        spans = [(place.start, place.end) for place in self.places]
        return tuple(
            one for one in self.mentions if not any(start < one.end and one.start < end for start, end in spans)
        )

    def sentence_at(self, place: int) -> Sentence | None:
        """Return the sentence that a character stands in."""
        return next((one for one in self.sentences if one.start <= place < one.end), None)


def read_question(text: str, inputs: Iterable[Entry]) -> Question:
    """Locate the inputs of a solution in the question.

    An input is located where one number of the question has its value and no other input does; inputs of one value share
    the one number that has it.
    """
    found = tuple(mentions(text))
    by_value: dict[Exact, list[str]] = {}
    for entry in inputs:
        by_value.setdefault(entry.value, []).append(entry.variable)
    places: list[Place] = []
    unlocated: dict[str, Unlocated] = {}
    for value, names in by_value.items():
        meant = [one for one in found if value in one.readings]
        plain = [one for one in meant if one.readings[0] == value] or meant
        if len(meant) != 1:
            why = Unlocated.MISSING if not plain else Unlocated.REPEATED
            unlocated.update(dict.fromkeys(names, why))
            continue
        place = _place(text, plain[0], tuple(names), value)
        if place is None:
            unlocated.update(dict.fromkeys(names, Unlocated.FORM))
        else:
            places.append(place)
    return Question(text, found, tuple(sorted(places, key=_start)), unlocated)


_PART_OF_A_NAME = re.compile(r"[^\W\d_]|[:/]\d|['’]s\b")


def _place(text: str, mention: Mention, names: tuple[str, ...], value: Exact) -> Place | None:
    if _PART_OF_A_NAME.match(text, mention.end) or (mention.start and text[mention.start - 1] in ":/#_"):
        return None
    for written in written_at(text, mention.start, value):
        if written.end == mention.end and not written.form.rounded:
            return Place(names, value, mention.start, mention.end, written.form)
    return None


def _start(place: Place) -> int:
    return place.start
