"""The text of a problem: its sentences, its question, its numbers, and the noun that each number counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from harness.text.lexicon import word_lists
from harness.text.noun_forms import is_plural, singular_noun
from harness.text.noun_phrases import FUNCTION_WORDS
from harness.text.numbers.number_mentions import mentions
from harness.text.sentences import sentences_of
from sft.samples.solution_text import clean

if TYPE_CHECKING:
    from harness.domain import Exact
    from harness.text.numbers.number_mentions import NumberMention
    from harness.text.sentences import Sentence

_LISTS = word_lists(__file__)

LONGEST_TEXT = 4_000
"""In characters: the rest of a longer text is not read. The longest problem of GSM8K has 985."""
MOST_NUMBERS = 60
MOST_MODIFIERS = 3
_INQUIRY = re.compile(rf"\b(?:{_LISTS.either('inquiry')})\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
_NEXT = re.compile(r"[ -]([A-Za-z][\w’'-]*)")
_NAME = re.compile(r"(?<![.?!\"“] )(?<!^)\b[A-Z][a-z]{2,}\b")
_RATE = re.compile(
    rf"^[^.;?!]{{0,40}}?\b(?:each|every|per|apiece|an? (?:{_LISTS.either('rate')}))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ProblemNumber:
    """A number of the text, the number of its sentence, and the noun after it in the singular, empty without a noun.

    `kind` holds the words between number and noun. `money` and `percent` describe its form; `rate` is true for a quantity
    per unit.
    """

    mention: NumberMention
    sentence: int
    noun: str
    kind: tuple[str, ...]
    money: bool
    percent: bool
    rate: bool

    @property
    def value(self) -> Exact:
        """Return its first reading."""
        return self.mention.readings[0]

    @property
    def counts(self) -> bool:
        """Tell whether it is a whole number of things."""
        return bool(self.noun) and self.value.denominator == 1 and not (self.money or self.percent)


@dataclass(frozen=True)
class ProblemText:
    """The text of a problem without control characters, cut after 4,000 characters."""

    text: str

    @classmethod
    def of(cls, question: str) -> ProblemText:
        """Return the problem of a raw text; every text is accepted."""
        return cls(clean(question[:LONGEST_TEXT]).strip())

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Return the sentences in order."""
        return sentences_of(self.text)

    @cached_property
    def inquiry(self) -> int:
        """Return the start of the last question or request, the length of the text without one."""
        for sentence in reversed(self.sentences):
            if sentence.asks:
                match = _INQUIRY.search(sentence.text)
                return sentence.start + (match.start() if match is not None else 0)
        return len(self.text)

    @property
    def asked(self) -> str:
        """Return the question, without conditions before it."""
        return self.text[self.inquiry :]

    @property
    def told(self) -> str:
        """Return the text before the question."""
        return self.text[: self.inquiry]

    @cached_property
    def numbers(self) -> tuple[ProblemNumber, ...]:
        """Return the numbers in order, at most sixty."""
        return tuple(self._number(mention) for mention in mentions(self.text)[:MOST_NUMBERS])

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return the words in lower case."""
        return tuple(words_of(self.text))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the capitalised words within sentences, each once, in order."""
        return tuple(dict.fromkeys(match.group() for match in _NAME.finditer(self.text)))

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence that contains a character; after the last sentence, the number of the last."""
        for number, sentence in enumerate(self.sentences):
            if place < sentence.end:
                return number
        return max(0, len(self.sentences) - 1)

    def around(self, number: ProblemNumber, before: int = 24, behind: int = 40) -> str:
        """Return a number with at most so many characters before and after it, within its sentence."""
        start, end = number.mention.start, number.mention.end
        sentence = self.sentences[number.sentence]
        return self.text[max(sentence.start, start - before) : min(sentence.end, end + behind)].strip()

    def _number(self, mention: NumberMention) -> ProblemNumber:
        noun, kind = noun_behind(self.text, mention.end)
        sentence = self.sentence_at(mention.start)
        end = self.sentences[sentence].end if self.sentences else len(self.text)
        return ProblemNumber(
            mention,
            sentence,
            noun,
            kind,
            money=self.text[max(0, mention.start - 2) : mention.start].strip().endswith(("$", "€", "£"))
            or noun in {"dollar", "cent", "euro"},
            percent="%" in mention.text or "cent" in mention.text.lower(),
            rate=_RATE.match(self.text[mention.end : end]) is not None,
        )


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, possessives without their ending."""
    return [match.group().lower().removesuffix("'s").removesuffix("’s") for match in _WORD.finditer(text)]


def noun_behind(text: str, place: int) -> tuple[str, tuple[str, ...]]:
    """Return the noun after a number in the singular, and the words between: the first plural, otherwise the first word."""
    kind: list[str] = []
    while len(kind) <= MOST_MODIFIERS and (match := _NEXT.match(text, place)) is not None:
        lower = match[1].lower().removesuffix("'s").removesuffix("’s")
        if lower in FUNCTION_WORDS and not (not kind and lower in {"more", "less", "fewer"}):
            break
        if is_plural(lower):
            return singular_noun(lower), tuple(kind)
        kind.append(lower)
        place = match.end()
    content = [word for word in kind if word not in {"more", "less", "fewer"}]
    return (singular_noun(content[0]), ()) if content else ("", ())
