"""The phrases by which explanations name quantities: the words of the question, or the line of the solution that gave them.

Generators write them, and the re-check derives them from the same record: the question, the correct solution and its program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import shorten
from typing import TYPE_CHECKING

from harness.text.lexicon import word_lists
from harness.text.markup import without_annotations
from harness.text.names import variable_words
from harness.text.nouns import phrase_at
from harness.text.number_forms import format_value
from harness.text.numbers import NumberMention, mentions, read_cardinal
from harness.text.sentences import sentences_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.domain import Exact

_LISTS = word_lists(__file__)
MOST_WORDS, LONGEST_QUOTE = 14, 80
"""The words and characters of the longest quotation."""
LONGEST_COMMENT = 300
LINE_RESULT = re.compile(r"\bresult of line (?P<line>[1-9]\d{0,3}) \((?P<result>[^()]{1,60})\)", re.ASCII)
"""The words by which an explanation names a line as the origin of a number."""
_OPEN_ENDS = _LISTS.words("open_ends")
_STOP = re.compile(r"[,;:?!](?=\s|$)|\s[-–—]\s|[()]")
_JOINT = re.compile(rf"\s(?:{_LISTS.either('joints')})(?=\s)", re.IGNORECASE)
_LEAD = re.compile(rf"(?:(?:{_LISTS.either('joints')})\s+)+", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_ASKED = re.compile(r"\b(?:how|what|which|who|when|where|find|calculate|determine|compute)\b.*", re.IGNORECASE)


@dataclass(frozen=True)
class QuantityPhrases:
    """The quantities of a problem: the inputs of its solution with their values, and its steps with their lines and values.

    `lines` are those of the correct solution; lines are counted from one, and zero is a step without a line. `comments` are what
    the program says of its inputs, most often the words of the question that it read them from.
    """

    question: str
    lines: Sequence[str]
    inputs: Mapping[str, Exact]
    steps: Mapping[str, tuple[int, Exact]]
    comments: Mapping[str, str] = field(default_factory=dict)

    def phrase(self, variable: str) -> str:
        """Return a singular noun phrase for a quantity.

        It is `the 48 in "sold clips to 48 of her friends"`, or `the result of line 2 (24 clips)`. Where neither the question nor a line
        shows for certain where it comes from, it is the value with the words of the variable: `the 60 (minutes per hour)`.
        """
        if variable not in self._known:
            self._known[variable] = self._phrase(variable)
        return self._known[variable]

    @cached_property
    def asked(self) -> str:
        """Return what the question asks, quoted; `something else` where no sentence asks."""
        asking = [sentence.text for sentence in sentences_of(self.question) if sentence.asks]
        match = _ASKED.search(" ".join(asking[-1].split())) if asking else None
        if match is None:
            return "something else"
        question = match[0].rstrip("?.! ").replace('"', "'")
        return f'"{shorten(question, LONGEST_QUOTE, placeholder="…", break_on_hyphens=False)}"'

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}

    def _phrase(self, variable: str) -> str:
        if variable in self.steps:
            line, value = self.steps[variable]
            if self._stated(line, value) is not None:
                return f"the result of line {line} ({self._result(line, value)})"
        else:
            value, place = self.inputs[variable], self.place(variable)
            if place is not None:
                return f'the {self._written(place)} in "{_clause(self.question, place)}"'
            if any(value in mention.readings for mention in self._mentions):
                return f"the {format_value(value)} of the question"
        words = variable_words(variable)
        return f"the {format_value(value)} ({words})" if words else f"the {format_value(value)}"

    def _result(self, line: int, value: Exact) -> str:
        """Return a value as a line states it, with the noun after it: `$12`, `24 clips`."""
        last = self._stated(line, value)
        if last is None:
            return format_value(value)
        text = without_annotations(self.lines[line - 1])
        noun = phrase_at(text, last.end)
        words = text[last.end : noun.end] if noun is not None and noun.plain else ""
        sign = "-" if value < 0 else ""
        return f"{sign}{'$' if text.endswith('$', 0, last.start) else ''}{last.text}{words}"

    def _stated(self, line: int, value: Exact) -> NumberMention | None:
        """Return the last place where a line states a value in digits, its annotations left out."""
        if not 1 <= line <= len(self.lines):
            return None
        places = mentions(without_annotations(self.lines[line - 1]))
        stated = [place for place in places if place.text[0].isdigit() and place.readings[0] == abs(value)]
        return stated[-1] if stated else None

    def clause(self, variable: str) -> str:
        """Return the clause of the question that gives an input, empty where that is in doubt."""
        place = self.place(variable)
        return "" if place is None else _clause(self.question, place)

    def place(self, variable: str) -> NumberMention | None:
        """Return the number of the question that gives an input, `None` where it is in doubt."""
        value = self.inputs[variable]
        plain = [mention for mention in self._mentions if mention.readings[0] == value]
        possible = plain or [mention for mention in self._mentions if value in mention.readings]
        if len(possible) < 2:
            return possible[0] if possible else None
        comment = self.comments.get(variable, "")
        quoted = [mention for mention in possible if _is_within(comment, self.question, mention)]
        if len(quoted) == 1:
            return quoted[0]
        words = _stems(f"{variable_words(variable)} {comment}")
        nouns, money = self._nouns(value)
        likeness = [
            len(words & _stems(_clause(self.question, mention)))
            + 2 * (_noun(self.question, mention) in nouns)
            + (self.question.endswith("$", 0, mention.start) and money)
            for mention in possible
        ]
        best = [mention for mention, count in zip(possible, likeness, strict=True) if count == max(likeness)]
        alike = [name for name, other in self.inputs.items() if other == value]
        things = {_noun(self.question, mention) for mention in best}
        if len(best) == 1 or (len(alike) == 1 and len(things) == 1 and "" not in things):
            # What is counted alike wherever it stands is quoted where it stands first.
            return best[0]
        if len(alike) != len(possible):
            return None
        # As many inputs as numbers: they stand in the same order.
        ordinal = possible[alike.index(variable)]
        return ordinal if ordinal in best else None

    def _nouns(self, value: Exact) -> tuple[set[str], bool]:
        """Return the nouns after a value in the lines of the solution, and whether it stands there after a dollar sign."""
        lines = map(without_annotations, self.lines)
        places = [(line, place) for line in lines for place in mentions(line) if value in place.readings]
        nouns = {_noun(line, place) for line, place in places} - {""}
        return nouns, any(line.endswith("$", 0, place.start) for line, place in places)

    @cached_property
    def _mentions(self) -> list[NumberMention]:
        return mentions(self.question)

    def _written(self, place: NumberMention) -> str:
        """Return a number as the question writes it; a word that is no plain number is quoted."""
        if place.text[0].isdigit() or place.text[0] == ".":
            return f"{'$' if self.question.endswith('$', 0, place.start) else ''}{place.text}"
        text = " ".join(place.text.split())
        return text.lower() if read_cardinal(text.lower()) is not None else f'"{text.lower()}"'


def _noun(text: str, place: NumberMention) -> str:
    """Return the noun after a number in the singular, empty where there is none."""
    phrase = phrase_at(text, place.end)
    return "" if phrase is None else phrase.noun


def _is_within(quotation: str, text: str, place: NumberMention) -> bool:
    """Tell whether a number stands in a quotation of at least two words wherever a text has that, blanks and case aside."""
    words = quotation.split()
    if len(words) < 2 or len(quotation) > LONGEST_COMMENT:
        return False
    spans = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)]
    return len(spans) == 1 and spans[0][0] <= place.start and place.end <= spans[0][1]


def _stems(text: str) -> set[str]:
    return {word.strip(".,;:?!()$'\"").lower().rstrip("s") for word in text.split()}


def _clause(text: str, place: NumberMention) -> str:
    """Return the clause around a number, at most `MOST_WORDS` words and `LONGEST_QUOTE` characters of it."""
    sentence = next((part for part in sentences_of(text) if part.start <= place.start < part.end), None)
    start, end = (0, len(text)) if sentence is None else (sentence.start, sentence.end)
    start, end = _between(_STOP, text, place, start, end)
    if len(text[start:end].split()) > MOST_WORDS:
        start, end = _between(_JOINT, text, place, start, end)
    lead = _LEAD.match(text, start + len(text[start:end]) - len(text[start:end].lstrip()))
    if lead is not None and lead.end() <= place.start:
        start = lead.end()
    words = [match.span() for match in _WORD.finditer(text, start, end)]
    before = [span for span in words if span[0] < place.start]
    after = [span for span in words if span[1] > place.end]
    cut = len(words) > MOST_WORDS or bool(words and words[-1][1] - words[0][0] > LONGEST_QUOTE)
    while len(words) > MOST_WORDS or (words and words[-1][1] - words[0][0] > LONGEST_QUOTE):
        side = before if len(before) > len(after) else after
        if not side:
            break
        word = side.pop(0) if side is before else side.pop()
        words = [span for span in words if span != word]
    while cut and words and words[-1][0] > place.end and text[slice(*words[-1])].lower() in _OPEN_ENDS:
        words.pop()
    start = min([place.start, *(first for first, _ in words)])
    end = max([place.end, *(last for _, last in words)])
    return " ".join(text[start:end].strip(" ,;:.?!").split()).replace('"', "'")[:LONGEST_QUOTE]


def _between(pattern: re.Pattern[str], text: str, place: NumberMention, start: int, end: int) -> tuple[int, int]:
    """Return the part of a text around a number that the pattern bounds."""
    marks = [match.span() for match in pattern.finditer(text, start, end)]
    first = max((last for _, last in marks if last <= place.start), default=start)
    return first, min((begin for begin, _ in marks if begin >= place.end), default=end)
