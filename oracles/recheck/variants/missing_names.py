"""The names that a reasoning trace may give to the open quantities of an underspecified problem."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.solution.phrases.gap_phrases import gap_phrase
from harness.solution.phrases.missing_quantities import missing_phrase, unnamed_quantities
from harness.solution.phrases.reasoning_phrases import NAME_JOINTS
from harness.text.names import ABBREVIATIONS
from harness.text.nouns import singular_noun
from harness.text.numbers import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact

_QUOTED = re.compile(r'how (?:many|much) "(?P<quote>[^"]+)" (?:are|is)')
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class LostNumber:
    """A number of the question that edits take away or write vaguely: the values that it can mean, its name, what stands there now, and the gap it leaves."""

    readings: tuple[Exact, ...]
    name: str | None
    instead: str
    gap: str | None = None


def lost_numbers(question: str, edits: Sequence[tuple[int, int, str, str]]) -> tuple[LostNumber, ...]:
    """Return the numbers of a question within edits: start, end, the words before and after."""
    lost, edited = [], ""
    last = 0
    places: list[tuple[int, int, str, int]] = []
    for start, end, _, after in sorted(edits):
        edited += question[last:start]
        places.append((start, end, after, len(edited)))
        edited, last = edited + after, end
    edited += question[last:]
    for mention in mentions(question):
        for start, end, after, now in places:
            if start <= mention.start < end:
                name = missing_phrase(question, mention.start, mention.end)
                gap = gap_phrase(edited, now, question[start:end])
                lost.append(LostNumber(mention.readings, name, after.rstrip(), gap))
    return tuple(lost)


@dataclass(frozen=True)
class MissingNames:
    """The open quantities of a problem with the values that they had, the numbers that its question lost, and its text."""

    values: tuple[tuple[str, Exact], ...]
    lost: tuple[LostNumber, ...]
    problem: str

    def allows(self, told: str) -> bool:
        """Tell whether a text names each of the quantities, in order: `A, B and C`, those in a row that no words name as one."""
        start = {"further": False, "named": True}
        return self._part(told, self.values, **start) or self._list(told, self.values, **start)

    def _list(self, told: str, values: Sequence[tuple[str, Exact]], *, further: bool, named: bool) -> bool:
        """Tell whether a text lists the quantities in two or more parts; `further` where others had no name, `named` where the one before has one."""
        for joint in (", ", " and "):
            for match in re.finditer(joint, told):
                first, rest = told[: match.start()], told[match.end() :]
                for count in range(1, len(values)):
                    if not self._part(first, values[:count], further=further, named=named):
                        continue
                    nameless = first == unnamed_quantities(count, further=further)
                    after = {"further": further or nameless, "named": not nameless}
                    continued = self._part if joint == " and " else self._list
                    if continued(rest, values[count:], **after):
                        return True
        return False

    def _part(self, told: str, values: Sequence[tuple[str, Exact]], *, further: bool, named: bool) -> bool:
        """Tell whether a text names a single quantity, or says how many have no name."""
        if named and values and told == unnamed_quantities(len(values), further=further):
            return True
        return len(values) == 1 and self._names(told, *values[0])

    def _names(self, told: str, variable: str, value: Exact) -> bool:
        return told in self._exact(value) or self._is_quote(told, value) or _is_name_of(told, variable)

    def _exact(self, value: Exact) -> Iterator[str]:
        return (
            name for lost in self.lost if value in lost.readings for name in (lost.name, lost.gap) if name is not None
        )

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
