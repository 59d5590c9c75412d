"""Vague phrases for a quantity, and the contexts in which a number of a question cannot become vague."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from harness.text.lexicon import word_lists
from harness.text.numbers import PARTS, PLURAL_PARTS

_LISTS = word_lists(__file__)


@dataclass(frozen=True, slots=True)
class VaguePhrase:
    """Words that say a quantity vaguely, instead of those from `start` to `end`, which say it exactly.

    `number` says it exactly on its own, as in `several apples (5, to be exact)`: it can stand at `behind`, the end of the
    noun phrase, `None` where that is not known. `noun` is what is counted, in the singular; it `counts` if those are things or persons.
    """

    start: int
    end: int
    words: tuple[str, ...]
    number: str
    behind: int | None
    noun: str = ""
    counts: bool = False

    @property
    def sign(self) -> int:
        """Return how many characters of the number are its dollar sign."""
        return len(self.number) - len(self.number.lstrip("$ "))


_FIRM = re.compile(
    rf"(?:\b(?:{_LISTS.either('firm')})|[\d%][,.]?(?: and| or| to| by| x| plus|-)?|[#$:/(\-–—\d.]|No\.|’s|'s) ?$",
    re.IGNORECASE,
)
_MODIFIED = re.compile(
    rf"\b(?:the|his|her|their|its|my|our|your|\w+['’]s) (?:{_LISTS.either('modified')}) $",
    re.IGNORECASE,
)
_SMALL = _LISTS.either("small")
_NUMBER_BEFORE = re.compile(rf"(?:\d|\b(?:{_SMALL}))[ ,]*+(?:and|or|to|by|x|-)? *$", re.IGNORECASE)
_NUMBER_BEHIND = re.compile(
    rf"\s*(?:to|or|by|x|-|and a|,? and|,|/|:|out of)\s*\$?(?:\d|(?:{_SMALL})\b)|[-–/:°]|[^\W_]|['’]", re.IGNORECASE
)
_SHARE = re.compile(rf"\b(?:{'|'.join([*PARTS, *PLURAL_PARTS])})\b|/|[½¼¾⅓⅔⅕⅛]", re.IGNORECASE)
_DOLLAR = re.compile(r"\$ ?$")


def dollar_sign(text: str, start: int) -> int:
    """Return the length of the dollar sign before a number at `start`, two where a space follows it, zero where there is none."""
    match = _DOLLAR.search(text, max(0, start - 2), start)
    return 0 if match is None else len(match.group())


_DEFINITE = re.compile(r"\b(?:the|his|her|their|its|my|our|your|\w+['’]s|\w+s['’]) $", re.IGNORECASE)
START = re.compile(r"(?:[.?!][\"”]?(?=\s)|(?<!\s)(?=[^\S\n]*+\n)|^)\s*+$")


@dataclass(frozen=True)
class NumberContext:
    """A number of a question and the words around it."""

    text: str
    place: NumberPlace

    @cached_property
    def start(self) -> int:
        """Return where the number begins, with its dollar sign."""
        return self.place.start - dollar_sign(self.text, self.place.start)

    @cached_property
    def before(self) -> str:
        """Return the words before the number."""
        return self.text[: self.start]

    @cached_property
    def behind(self) -> str:
        """Return the words after the number."""
        return self.text[self.place.end :]

    @cached_property
    def written(self) -> str:
        """Return the number as it is written."""
        return self.text[self.start : self.place.end]

    @property
    def is_money(self) -> bool:
        """Tell whether it has a dollar sign."""
        return self.written.startswith("$")

    @property
    def is_share(self) -> bool:
        """Tell whether it is written as a part of something: `half`, `3/4`, `a fifth`, `25%`."""
        return self.is_percent or _SHARE.search(self.written) is not None

    @property
    def is_percent(self) -> bool:
        """Tell whether it is a percentage."""
        return (
            re.search(r"%|percent\b", self.text[self.place.start : self.place.end + 8].partition(". ")[0]) is not None
        )

    @cached_property
    def begins(self) -> bool:
        """Tell whether a sentence begins with it."""
        return START.search(self.before) is not None

    @cached_property
    def definite(self) -> bool:
        """Tell whether it stands after `the`, `his`, `Ann's`."""
        return _DEFINITE.search(self.before) is not None

    @cached_property
    def firm(self) -> bool:
        """Tell whether no vague words can stand after the words before it."""
        return any(pattern.search(self.before) for pattern in (_FIRM, _MODIFIED, _NUMBER_BEFORE))

    @cached_property
    def joined(self) -> bool:
        """Tell whether it is only a part of something longer, such as `5 to 7` or `5-foot`."""
        return _NUMBER_BEHIND.match(self.behind) is not None

    def is_behind(self, words: str) -> bool:
        """Tell whether a pattern ends right before the number."""
        return re.search(rf"{words} $", self.before, re.IGNORECASE) is not None

    def say(
        self,
        *words: str,
        start: int | None = None,
        end: int | None = None,
        behind: int | None = None,
        noun: str = "",
        counts: bool = False,
    ) -> VaguePhrase:
        """Return words instead of the number, or of what stands from `start` to `end`, with a capital where one was."""
        start = self.start if start is None else start
        end = self.place.end if end is None else end
        begins = START.search(self.text[:start]) is not None
        phrases = tuple(f"{word[:1].upper()}{word[1:]}" if begins else word for word in words)
        number = self.written[:1].lower() + self.written[1:]
        return VaguePhrase(start, end, phrases, number, behind, noun, counts)


_ASKING = re.compile(r"\b(?:how|what|which|calculate|find|determine|who|when will)\b", re.IGNORECASE)


def _in_a_condition(text: str, start: int, place: int, end: int) -> bool:
    """Tell whether a place of a question's sentence is in a condition, `if …`, not in what is asked."""
    before = text[start:place]
    conditions = [match.start() for match in re.finditer(r"\b(?:if|given that|assuming)\b", before, re.IGNORECASE)]
    asking = [match.start() for match in _ASKING.finditer(before)]
    if conditions and (not asking or conditions[-1] > asking[-1]):
        return True
    return not asking and _ASKING.search(text[place:end]) is not None and ", " in text[place:end]


def states_number(question: LocatedQuestion, place: NumberPlace) -> bool:
    """Tell whether the words around a number state it, be it as a condition of what is asked, and do not ask about it."""
    sentence = question.sentence_at(place.start)
    return sentence is not None and (
        not sentence.asks or _in_a_condition(question.text, sentence.start, place.start, sentence.end)
    )
