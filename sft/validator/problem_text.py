"""The text of a problem: its sentences, its question, its numbers, and the noun that each number counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.markup import clean
from harness.text.nouns import phrase_at
from harness.text.numbers import NumberMention, mentions
from harness.text.sentences import Sentence, sentences_of, separated
from harness.text.words import hyphenated_words
from sft.samples.evidence_registry import EvidenceRegistry
from sft.samples.problem_judgement import ProblemFinding

_WORDS = english("problems")

LONGEST_TEXT = 4_000
"""In characters: the rest of a longer text is not read. The longest problem of GSM8K has 985."""
MOST_NUMBERS = 60
_INQUIRIES = (_WORDS.pattern("plain_inquiry"), _WORDS.pattern("other_inquiry"))
# A request begins its clause, and its verb has no ending: "Find …", "If …, calculate Ann's …", "Help Tom work out …".
_REQUEST = _WORDS.pattern("request", rf"(?:{_WORDS.either('before_request')})(?P<verb>", r")\b(?=\s+\S)")
_ASKING, _OPENING, _RATE = _WORDS.pattern("asking"), _WORDS.pattern("opening"), _WORDS.pattern("rate")


@dataclass(frozen=True, slots=True)
class ProblemNumber:
    """A number of the text, the number of its sentence, and the plural noun after it in the singular, empty without one.

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


@dataclass(frozen=True)
class ProblemText:
    """The text of a problem without control characters, cut after 4,000 characters."""

    text: str

    @classmethod
    def of(cls, question: str) -> ProblemText:
        """Return the problem of a raw text; every text is accepted.

        Sentences that are joined without a space are separated: `18 friends.How many` reads `18 friends. How many`.
        """
        return cls(separated(clean(question[:LONGEST_TEXT]).strip()))

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Return the sentences in order."""
        return sentences_of(self.text)

    @cached_property
    def inquiry(self) -> int:
        """Return the start of the last question or request, the length of the text without one."""
        for sentence in reversed(self.sentences):
            place = _inquiry_in(sentence)
            if place is not None:
                return sentence.start + place
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
        return tuple(map(self._problem_number, mentions(self.text)[:MOST_NUMBERS]))

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

    def _problem_number(self, mention: NumberMention) -> ProblemNumber:
        phrase = phrase_at(self.text, mention.end)
        noun, end = ("", mention.end) if phrase is None else (phrase.noun, phrase.end)
        kind = tuple(self.text[mention.end : end].lower().split()[:-1])
        sentence = self.sentence_at(mention.start)
        end = self.sentences[sentence].end if self.sentences else len(self.text)
        before = self.text[max(0, mention.start - 2) : mention.start].strip()
        money = before.endswith(("$", "€", "£")) or noun in {"dollar", "cent", "euro"}
        percent = "%" in mention.text or "cent" in mention.text.lower()
        rate = _RATE.match(self.text[mention.end : end]) is not None
        return ProblemNumber(mention, sentence, noun, kind, money=money, percent=percent, rate=rate)


PROBLEM_EVIDENCE: EvidenceRegistry[ProblemText, ProblemFinding] = EvidenceRegistry("sft.validator.evidence")
problem_evidence = PROBLEM_EVIDENCE.register
"""Registers a function from a `ProblemText` as a kind of evidence: `@problem_evidence(name)`."""


def _inquiry_in(sentence: Sentence) -> int | None:
    """Return where a sentence begins to ask, `None` if it asks nothing.

    A condition in front is not part of the question: `When Ann is 24, how old is Bob?` asks from `how` on.
    """
    text = sentence.text
    if text.rstrip("\"'”’)").endswith("?") or _OPENING.search(text):
        return next((match.start() for pattern in _INQUIRIES if (match := pattern.search(text)) is not None), 0)
    request, asking = _REQUEST.search(text), _ASKING.search(text)
    if request is not None:
        return request.start("verb")
    return None if asking is None else asking.end()


def bare_words(text: str) -> list[str]:
    """Return the words of a text in lower case, possessives without their ending."""
    return [word.removesuffix("'s").removesuffix("’s") for word in hyphenated_words(text)]
