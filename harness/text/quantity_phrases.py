"""The phrases by which explanations name quantities: the words of the question, or the line of the solution that gave them.

Generators write them, and the re-check derives them from the same record: the question, the correct solution and its program.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from textwrap import shorten

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.markup import without_annotations
from harness.text.names import variable_words
from harness.text.nouns import phrase_at
from harness.text.number_forms import format_value
from harness.text.numbers import NumberMention, mentions, read_cardinal
from harness.text.sentences import ASKING, sentences_of

_JOINTS = english("quantity_phrases").either("joints")
MOST_WORDS, LONGEST_QUOTE = 16, 100
"""The words and characters of the longest quotation."""
LINE_RESULT = re.compile(r"\bresult of line (?P<line>[1-9]\d{0,3}) \((?P<result>[^()]{1,60})\)", re.ASCII)
"""The words by which an explanation names a line as the origin of a number."""
_LEAD = rf"(?:\s+(?:{_JOINTS})(?=\s))*\s*"
_MARK = rf"(?:[,;:?!](?=\s|$)|\s[-–—](?=\s)){_LEAD}"
_OPENING = rf"(?<!\S)(?:(?:{_JOINTS})\s+)+"
_BOUNDARIES = tuple(
    re.compile(pattern, re.IGNORECASE) for pattern in (_MARK, rf"{_MARK}|(?=\s(?:{_JOINTS})\s){_LEAD}|{_OPENING}")
)
"""What stands between two clauses with the joints that the second begins with: a mark, and where that leaves too much, a mark or a joint."""
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class QuantityPhrases:
    """The quantities of a problem: the inputs of its solution with their values, and its steps with their lines and values.

    `lines` are those of the correct solution; lines are counted from one, and zero is a step without a line. `places` are the numbers of
    the question that are known to give an input; those that are in doubt are left out.
    """

    question: str
    lines: Sequence[str]
    inputs: Mapping[str, Exact]
    steps: Mapping[str, tuple[int, Exact]]
    places: Mapping[str, NumberMention]

    def phrase(self, variable: str) -> str:
        """Return a singular noun phrase for a quantity.

        It is `the 48 in "She sold clips to 48 of her friends"`, or `the result of line 2 (24 clips)`. Of a number that gives two inputs,
        the words of the variable follow. Where neither the question nor a line shows for certain where it comes from, it is the value
        with these words: `the 60 (minutes per hour)`.
        """
        if variable not in self._known:
            self._known[variable] = self._phrase(variable)
        return self._known[variable]

    @cached_property
    def asked(self) -> str:
        """Return what the question asks, quoted; `something else` where no sentence asks."""
        asking = [sentence.text for sentence in sentences_of(self.question) if sentence.asks]
        sentence = " ".join(asking[-1].split()) if asking else ""
        starts = [match.start() for match in ASKING.finditer(sentence)]
        if not starts:
            return "something else"
        # `half of what he ate, how many are left` asks after the mark.
        first = next((start for start in starts if sentence[:start].rstrip()[-1:] in {"", *",;:"}), starts[0])
        question = sentence[first:].rstrip("?.! ").replace('"', "'")
        return f'"{shorten(question, LONGEST_QUOTE, placeholder="…", break_on_hyphens=False)}"'

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}

    def _phrase(self, variable: str) -> str:
        words = variable_words(variable)
        if variable in self.steps:
            line, value = self.steps[variable]
            result = self._stated_result(line, value)
            if result is not None:
                return f"the result of line {line} ({result})"
        else:
            value, place = self.inputs[variable], self.places.get(variable)
            if place is not None:
                quoted = f'the {self._number_text(place)} in "{self._quotation(place)}"'
                shared = sum(other == place for other in self.places.values()) > 1
                return f"{quoted} ({words})" if shared and words else quoted
        return f"the {format_value(value)} ({words})" if words else f"the {format_value(value)}"

    def _stated_result(self, line: int, value: Exact) -> str | None:
        """Return a value in digits as a line states it last, its annotations left out, with the noun after it: `$12`, `24 clips`."""
        text = without_annotations(self.lines[line - 1]) if 1 <= line <= len(self.lines) else ""
        places = (place for place in mentions(text) if place.text[0].isdigit() and place.readings[0] == abs(value))
        last = max(places, key=lambda place: place.start, default=None)
        if last is None:
            return None
        noun = phrase_at(text, last.end)
        words = text[last.end : noun.end] if noun is not None and noun.plain else ""
        return f"{'-' if value < 0 else ''}{'$' if text.endswith('$', 0, last.start) else ''}{last.text}{words}"

    def clause(self, variable: str) -> str:
        """Return the words of the question that give an input, empty where that is in doubt."""
        place = self.places.get(variable)
        return "" if place is None else self._quotation(place)

    def _quotation(self, place: NumberMention) -> str:
        equal = [mention for mention in mentions(self.question) if mention.readings[0] == place.readings[0]]
        return _quotation(self.question, place, [mention for mention in equal if mention != place])

    def _number_text(self, place: NumberMention) -> str:
        """Return a number as the question writes it; a word that is no plain number is quoted."""
        if place.text[0].isdigit() or place.text[0] == ".":
            return f"{'$' if self.question.endswith('$', 0, place.start) else ''}{place.text}"
        text = " ".join(place.text.split())
        return text.lower() if read_cardinal(text.lower()) is not None else f'"{text.lower()}"'


def _quotation(text: str, place: NumberMention, others: Sequence[NumberMention]) -> str:
    """Return the longest run of clauses around a number, within its sentence, that is short enough; else words around it, with `…` where it is cut.

    A quotation has none of the others, numbers of the same value, and closes the parentheses that it opens.
    """

    def fits(run: tuple[int, int]) -> bool:
        words = text[slice(*run)]
        short = len(words) <= LONGEST_QUOTE and len(words.split()) <= MOST_WORDS
        alone = not any(run[0] <= other.start < run[1] for other in others)
        return short and alone and words.count("(") == words.count(")")

    sentence = next(part for part in sentences_of(text) if part.start <= place.start < part.end)
    start, end = sentence.start, sentence.end
    bounds = []
    for pattern in _BOUNDARIES:
        spans = [match.span() for match in pattern.finditer(text, start, end)]
        before = [start, *(last for _, last in spans if last <= place.start)]
        bounds.append((before, [*(first for first, _ in spans if first >= place.end), end]))
    words = [match.span() for match in _WORD.finditer(text, start, end)]
    firsts = [first for first, _ in words if first <= place.start][-MOST_WORDS:]
    bounds.append((firsts, [last for _, last in words if last >= place.end][:MOST_WORDS]))
    runs = next((found for both in bounds if (found := list(filter(fits, product(*both))))), [(place.start, place.end)])
    first, last = max(runs, key=lambda run: run[1] - run[0])
    marks = "" if first in bounds[1][0] else "…", "" if last in bounds[1][1] else "…"
    quoted = " ".join(text[first:last].strip(" ,;:.?!").split()).replace('"', "'")
    return f"{marks[0]}{quoted[:LONGEST_QUOTE]}{marks[1]}"
