"""A number of a question and the words around it; the first word of a sentence within another sentence, where names keep their capital."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from harness.text.lexicon import english
from harness.text.names import proper_names
from harness.text.nouns import is_plural
from harness.text.numbers import PARTS, PLURAL_PARTS
from harness.text.sentences import FINITE, sentences_of

_LISTS = english("variants")
_FIRM = re.compile(
    rf"(?:\b(?:{_LISTS.either('firm')})|[\d%][,.]?(?: and| or| to| by| x| plus|-)?|[#$:/(\-–—\d.]|No\.|’s|'s) ?$",
    re.IGNORECASE,
)
_SMALL = _LISTS.either("small_numbers")
_NUMBER_BEFORE = re.compile(rf"(?:\d|\b(?:{_SMALL}))[ ,]*+(?:and|or|to|by|x|-)? *$", re.IGNORECASE)
_JOINED = re.compile(
    rf"\s*(?:to|or|by|x|-|and a|,? and|,|/|:|out of)\s*\$?(?:\d|(?:{_SMALL})\b)|[-–/:°]|[^\W_]|['’]", re.IGNORECASE
)
_SHARE = re.compile(rf"\b(?:{'|'.join([*PARTS, *PLURAL_PARTS])})\b|/|[½¼¾⅓⅔⅕⅛]", re.IGNORECASE)
_PERCENT = re.compile(r"%|percent\b")
_DOLLAR = re.compile(r"\$ ?$")
_DEFINITE = re.compile(r"\b(?:the|his|her|their|its|my|our|your|\w+['’]s|\w+s['’]) (?:[a-z]+ )?$", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([A-Za-z]+) $")
_START = re.compile(r"(?:[.?!][\"”]?(?=\s)|(?<!\s)(?=[^\S\n]*+\n)|^)\s*+$")
_CONDITION = re.compile(r"\b(?:if|given that|assuming)\b", re.IGNORECASE)
_ASKING = re.compile(r"\b(?:how|what|which|calculate|find|determine|who|when will)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:](?=\s)\s*|\s(?=(?:and|but|while|who|which|so|then|if|because)\s)")
OPENING_WORDS = _LISTS.words("opening")
"""Words that begin sentences and are no names."""
_FIRST_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SEVERAL_AT_ONCE = re.compile(r"\b(?:respectively|ratio)\b")


def dollar_sign(text: str, start: int) -> int:
    """Return the length of the dollar sign before a number at `start`, two where a space follows it, zero where there is none."""
    match = _DOLLAR.search(text, max(0, start - 2), start)
    return 0 if match is None else len(match.group())


def clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the clause begins and ends that a number of a text stands in, without the mark at its end."""
    sentence = next((part for part in sentences_of(text) if part.start <= start < part.end), None)
    if sentence is None:
        return start, end
    first, last = sentence.start, sentence.end - sentence.text.endswith((".", "?", "!"))
    for match in _CLAUSE_END.finditer(text, sentence.start, sentence.end):
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            last = match.start()
            break
    return first, last


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
        """Return the text before the number."""
        return self.text[: self.start]

    @cached_property
    def after(self) -> str:
        """Return the text after the number."""
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
    def is_percent(self) -> bool:
        """Tell whether it is a percentage."""
        return _PERCENT.search(self.text[self.place.start : self.place.end + 8].partition(". ")[0]) is not None

    @property
    def is_share(self) -> bool:
        """Tell whether it is written as a part of something: `half`, `3/4`, `a fifth`, `25%`."""
        return self.is_percent or _SHARE.search(self.written) is not None

    @cached_property
    def begins(self) -> bool:
        """Tell whether a sentence begins with it."""
        return _START.search(self.before) is not None

    @cached_property
    def definite(self) -> bool:
        """Tell whether it stands after `the`, `his`, `Ann's`."""
        return _DEFINITE.search(self.before) is not None

    @cached_property
    def firm(self) -> bool:
        """Tell whether the words before it want a number after them."""
        return any(pattern.search(self.before) for pattern in (_FIRM, _NUMBER_BEFORE))

    @cached_property
    def joined(self) -> bool:
        """Tell whether it is only a part of something longer, such as `5 to 7` or `5-foot`."""
        return _JOINED.match(self.after) is not None

    @cached_property
    def word_before(self) -> str:
        """Return the word before it in lower case, an empty text where a sign stands there."""
        match = _WORD_BEFORE.search(self.before)
        return "" if match is None else match[1].lower()

    @property
    def follows_verb(self) -> bool:
        """Tell whether the word before it is a verb with a subject."""
        return self.word_before in FINITE


def states_number(question: LocatedQuestion, place: NumberPlace) -> bool:
    """Tell whether the words around a number state it by itself, be it as a condition of what is asked, and do not ask about it."""
    sentence = question.sentence_at(place.start)
    if sentence is None or _SEVERAL_AT_ONCE.search(sentence.text):
        return False
    return not sentence.asks or _in_a_condition(question.text, sentence.start, place.start, sentence.end)


def _in_a_condition(text: str, start: int, place: int, end: int) -> bool:
    """Tell whether a place of a question's sentence is in a condition, `if …`, not in what is asked."""
    conditions = [match.start() for match in _CONDITION.finditer(text, start, place)]
    asking = [match.start() for match in _ASKING.finditer(text, start, place)]
    if conditions and (not asking or conditions[-1] > asking[-1]):
        return True
    return not asking and _ASKING.search(text, place, end) is not None and ", " in text[place:end]


def is_named(word: str, question: LocatedQuestion) -> bool:
    """Tell whether a word, in lower case, is a name, also one that only begins sentences: `Ann has`, `Ann and Tom`, `Ann's`."""
    bare = re.sub(r"['’]s$", "", word)
    if bare in proper_names(question.text):
        return True
    match = re.search(rf"\b{re.escape(bare.capitalize())}(?=['’]s\b| and [A-Z]| (?P<next>[a-z]+)\b)", question.text)
    if match is None or bare in OPENING_WORDS or re.search(rf"\b{re.escape(bare)}\b", question.text):
        return False
    return match["next"] is None or (match["next"] in FINITE and not is_plural(bare))


def lowered(text: str, question: LocatedQuestion) -> str | None:
    """Return words as they read within a sentence; `None` where one cannot tell whether the first is a name."""
    first = _FIRST_WORD.match(text)
    if first is None:
        return None
    word = first[0].lower()
    if first[0].islower() or is_named(word, question) or (first[0].isupper() and len(word) > 1):
        return text
    if re.match(r" [A-Z]", text[first.end() :]) and word not in OPENING_WORDS:
        return text
    if word in OPENING_WORDS or re.search(rf"(?<![.?!] )(?<!^)\b{re.escape(word)}\b", question.text):
        return text[0].lower() + text[1:]
    return None
