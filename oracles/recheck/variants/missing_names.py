"""The names that a reasoning trace may give to what an underspecified problem does not say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from harness.solution.phrases.missing_quantities import UNNAMED, missing_phrase
from harness.solution.phrases.reasoning_phrases import NAME_JOINTS
from harness.text.names import ABBREVIATIONS
from harness.text.noun_forms import singular_noun
from harness.text.numbers.number_mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact

_QUOTED = re.compile(r'how (?:many|much) "(?P<quote>[^"]+)" (?:are|is)')
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class LostNumber:
    """A number of the question that edits take away or write vaguely: the values that it can mean, its name, and what stands there now."""

    readings: tuple[Exact, ...]
    name: str | None
    instead: str


def lost_numbers(question: str, edits: Sequence[tuple[int, int, str, str]]) -> tuple[LostNumber, ...]:
    """Return the numbers of a question within edits: start, end, the words before and after."""
    return tuple(
        LostNumber(mention.readings, missing_phrase(question, mention.start, mention.end), after.rstrip())
        for mention in mentions(question)
        for start, end, _, after in edits
        if start <= mention.start < end
    )


@dataclass(frozen=True)
class MissingNames:
    """The open quantities of a problem with the values that they had, the numbers that its question lost, and its text."""

    values: tuple[tuple[str, Exact], ...]
    lost: tuple[LostNumber, ...]
    problem: str

    def allows(self, told: str) -> bool:
        """Tell whether a text names each of the quantities, in order."""
        if len(self.values) == 1:
            return self._names(told, *self.values[0])
        exact = [[*self._exact(value), UNNAMED] for _, value in self.values]
        if any(told == _joined(names) for names in product(*exact)):
            return True
        parts = [part for piece in told.split(", ") for part in piece.split(" and ")]
        return len(parts) == len(self.values) and all(
            self._names(part, *variable) for part, variable in zip(parts, self.values, strict=True)
        )

    def _names(self, told: str, variable: str, value: Exact) -> bool:
        return (
            told == UNNAMED or told in self._exact(value) or self._is_quote(told, value) or _is_name_of(told, variable)
        )

    def _exact(self, value: Exact) -> Iterator[str]:
        return (lost.name for lost in self.lost if lost.name is not None and value in lost.readings)

    def _is_quote(self, told: str, value: Exact) -> bool:
        """Tell whether a text quotes the words that stand in the place of a number with a value."""
        match = _QUOTED.fullmatch(told)
        if match is None or re.search(rf"(?<!\w){re.escape(match['quote'])}(?!\w)", self.problem) is None:
            return False
        return any(
            lost.instead and value in lost.readings and match["quote"].removeprefix("$").startswith(lost.instead)
            for lost in self.lost
        )


def _is_name_of(told: str, variable: str) -> bool:
    """Tell whether a text has all words of a variable, and no others but those that join them."""
    words = [part for word in variable.lower().split("_") for part in ABBREVIATIONS.get(word, word).split()]
    own = {singular_noun(word) for word in words if word} - NAME_JOINTS - {"num", "an"}
    said = {singular_noun(word.lower()) or word for word in _WORD.findall(told)}
    return bool(own) and own <= said <= own | NAME_JOINTS and not any(character.isdigit() for character in told)


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
