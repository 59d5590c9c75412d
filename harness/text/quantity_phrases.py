"""The phrases by which explanations name quantities: the words of the question, or the line of the solution that gave them.

Generators write them, and the re-check derives them from the same record: the question, the correct solution and its program.
"""

import re
from collections.abc import Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import shorten

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.markup import without_annotations
from harness.text.names import variable_words
from harness.text.nouns import phrase_at
from harness.text.number_forms import format_value
from harness.text.numbers import NumberMention, mentions, read_cardinal
from harness.text.sentences import ASKING, sentences_of

_LISTS = english("quantity_phrases")
MOST_WORDS, LONGEST_QUOTE = 16, 100
"""The words and characters of the longest quotation."""
LONGEST_COMMENT = 300
Span = tuple[int, int]
LINE_RESULT = re.compile(r"\bresult of line (?P<line>[1-9]\d{0,3}) \((?P<result>[^()]{1,60})\)", re.ASCII)
"""The words by which an explanation names a line as the origin of a number."""
_STOP = re.compile(r"[,;:?!](?=\s|$)|\s[-–—]\s")
_JOINT = re.compile(rf"\s(?:{_LISTS.either('joints')})(?=\s)", re.IGNORECASE)
_LEAD = re.compile(rf"\s*(?:(?:{_LISTS.either('joints')})\s+)+", re.IGNORECASE)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class QuantityPhrases:
    """The quantities of a problem: the inputs of its solution with their values, and its steps with their lines and values.

    `lines` are those of the correct solution; lines are counted from one, and zero is a step without a line. `comments` are what
    the program says of its inputs, most often the words of the question that it read them from; the question does not give those of
    `world_knowledge`.
    """

    question: str
    lines: Sequence[str]
    inputs: Mapping[str, Exact]
    steps: Mapping[str, tuple[int, Exact]]
    comments: Mapping[str, str] = field(default_factory=dict)
    world_knowledge: AbstractSet[str] = frozenset()

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
    def _given(self) -> list[str]:
        """Return the inputs that the question gives."""
        return [name for name in self.inputs if name not in self.world_knowledge]

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}

    def _phrase(self, variable: str) -> str:
        words = variable_words(variable)
        if variable in self.steps:
            line, value = self.steps[variable]
            if self._stated(line, value) is not None:
                return f"the result of line {line} ({self._stated_result(line, value)})"
        else:
            value, place = self.inputs[variable], self.place(variable)
            if place is not None:
                quoted = f'the {self._written(place)} in "{self._quotation(place)}"'
                shared = sum(other == place for other in self._input_places.values()) > 1
                return f"{quoted} ({words})" if shared and words else quoted
            left = [mention for mention in self._mentions if mention not in self._input_places.values()]
            if variable in self._given and any(value in mention.readings for mention in left):
                return f"the {format_value(value)} of the question"
        return f"the {format_value(value)} ({words})" if words else f"the {format_value(value)}"

    def _stated_result(self, line: int, value: Exact) -> str:
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
        """Return the words of the question that give an input, empty where that is in doubt."""
        place = self.place(variable)
        return "" if place is None else self._quotation(place)

    def place(self, variable: str) -> NumberMention | None:
        """Return the number of the question that gives an input, `None` where it is in doubt."""
        return self._input_places.get(variable)

    @cached_property
    def _input_places(self) -> Mapping[str, NumberMention]:
        """Return the places of the inputs, none outside of what a comment quotes; of several inputs, those whose comments quote it have one."""
        likely = {name: self._likely_place(name) for name in self._given}
        places = {}
        for name, place in likely.items():
            alone = self._quoted.get(name) is None and sum(other == place for other in likely.values()) == 1
            if place is not None and (alone or self._quotes(name, place)):
                places[name] = place
        return places

    @cached_property
    def _quoted(self) -> Mapping[str, Span | None]:
        """Return the part of the question that each comment quotes."""
        return {name: _quoted_span(comment, self.question) for name, comment in self.comments.items()}

    def _quotes(self, variable: str, place: NumberMention) -> bool:
        span = self._quoted.get(variable)
        return span is not None and span[0] <= place.start and place.end <= span[1]

    def _likely_place(self, variable: str) -> NumberMention | None:
        value = self.inputs[variable]
        plain = [mention for mention in self._mentions if mention.readings[0] == value]
        possible = plain or [mention for mention in self._mentions if value in mention.readings]
        if len(possible) < 2:
            return possible[0] if possible else None
        quoted = [mention for mention in possible if self._quotes(variable, mention)]
        if len(quoted) == 1:
            return quoted[0]
        words = _stems(f"{variable_words(variable)} {self.comments.get(variable, '')}")
        nouns, money = self._nouns(value)
        likeness = [
            len(words & _stems(_clause(self.question, mention)))
            + 2 * (_noun(self.question, mention) in nouns)
            + (self.question.endswith("$", 0, mention.start) and money)
            for mention in possible
        ]
        best = [mention for mention, count in zip(possible, likeness, strict=True) if count == max(likeness)]
        alike = [name for name in self._given if self.inputs[name] == value]
        things = {_noun(self.question, mention) for mention in best}
        if len(best) == 1 or (len(alike) == 1 and len(things) == 1 and "" not in things):
            # What is counted alike wherever it stands is quoted where it stands first.
            return best[0]
        if len(alike) != len(possible):
            return None
        # As many inputs as numbers: they stand in the same order.
        ordinal = possible[alike.index(variable)]
        return ordinal if ordinal in best else None

    def _quotation(self, place: NumberMention) -> str:
        others = [
            mention for mention in self._mentions if mention != place and mention.readings[0] == place.readings[0]
        ]
        return _quotation(self.question, place, others)

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


def _quoted_span(quotation: str, text: str) -> Span | None:
    """Return where a text has a quotation of at least two words, blanks and case aside; `None` where it has it not exactly once."""
    words = quotation.split()
    if len(words) < 2 or len(quotation) > LONGEST_COMMENT:
        return None
    spans = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)]
    return spans[0] if len(spans) == 1 else None


def _stems(text: str) -> set[str]:
    return {word.strip(".,;:?!()$'\"").lower().rstrip("s") for word in text.split()}


def _sentence_span(text: str, place: NumberMention) -> Span:
    sentence = next((part for part in sentences_of(text) if part.start <= place.start < part.end), None)
    return (0, len(text)) if sentence is None else (sentence.start, sentence.end)


def _clause(text: str, place: NumberMention) -> str:
    """Return the words between the marks and joints nearest to a number."""
    span = _sentence_span(text, place)
    for pattern in (_STOP, _JOINT):
        pieces, own = _pieces(pattern, text, place, span)
        span = pieces[own]
    return text[slice(*span)]


def _quotation(text: str, place: NumberMention, others: Sequence[NumberMention]) -> str:
    """Return the sentence of a number, or as many of its parts around the number as are short enough, first those before it.

    Parts are bounded by marks, a long one by joints; of what is still too long, the words around the number, with `…` where it is cut.
    A quotation has none of the others, numbers of the same value, and closes the parentheses that it opens.
    """

    def fits(start: int, end: int) -> bool:
        words = text[start:end]
        short = end - start <= LONGEST_QUOTE and len(words.split()) <= MOST_WORDS
        return (
            short and words.count("(") == words.count(")") and not any(start <= other.start < end for other in others)
        )

    span = _sentence_span(text, place)
    for pattern in () if fits(*span) else (_STOP, _JOINT):
        pieces, own = _pieces(pattern, text, place, span)
        span = pieces[own]
        if fits(*span):
            first = next(start for start, _ in pieces if fits(start, span[1]))
            span = first, max(end for _, end in pieces[own:] if fits(first, end))
            break
    words = [match.span() for match in _WORD.finditer(text, *span)]
    inside = [at for at, (start, end) in enumerate(words) if end > place.start and start < place.end]
    ends = (words[max(inside[0] - MOST_WORDS, 0) : inside[0] + 1], words[inside[-1] : inside[-1] + MOST_WORDS])
    runs = [(first[0], last[1]) for first in ends[0] for last in ends[1] if fits(first[0], last[1])]
    start, end = max(runs, key=lambda run: run[1] - run[0], default=(place.start, place.end))
    marks = "…" if start > words[0][0] else "", "…" if end < words[-1][1] else ""
    quoted = " ".join(text[start:end].strip(" ,;:.?!").split()).replace('"', "'")
    return f"{marks[0]}{quoted[:LONGEST_QUOTE]}{marks[1]}"


def _pieces(pattern: re.Pattern[str], text: str, place: NumberMention, span: Span) -> tuple[list[Span], int]:
    """Return the parts of a text that a pattern bounds, without the joints that they begin with, and which of them has a number."""
    marks = [match.span() for match in pattern.finditer(text, *span)]
    marks = [mark for mark in marks if mark[1] <= place.start or place.end <= mark[0]]
    pieces = []
    for start, end in zip(
        [span[0], *(last for _, last in marks)], [*(first for first, _ in marks), span[1]], strict=True
    ):
        lead = _LEAD.match(text, start, end) if start > span[0] or pattern is _JOINT else None
        start = lead.end() if lead is not None and lead.end() <= place.start else start
        if text[start:end].strip():
            pieces.append((start, end))
    return pieces, next(at for at, (_, end) in enumerate(pieces) if place.start < end)
