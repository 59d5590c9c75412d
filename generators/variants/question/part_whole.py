"""Numbers of a question that are a whole, its parts and the rest, where the question states all of them.

Examples: `9 pens. 4 of them … the other 5`, `60% … the other 40%`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generators.variants.question.input_places import LocatedQuestion
from generators.variants.question.written_numbers import is_quantity
from harness.domain import Exact
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, is_plural, singular_noun
from harness.text.numbers import PART_NAMES, PARTS, NumberMention, write_cardinal
from harness.text.sentences import FINITE
from harness.text.units import MEASURES, TIMES

_LISTS = word_lists(__file__)

MOST_PARTS = 4
_REST = re.compile(
    r"\b(?:the|his|her|their|its|my|those|these)\s(?:other|remaining)\s$|\bthe rest(?:,| \() ?$", re.IGNORECASE
)
_DETERMINED = re.compile(r"\b(?:the|his|her|their|its|my|those|these)\s$", re.IGNORECASE)
_OTHER_BEHIND = re.compile(r" (?:other|remaining)\b")
_WORDS = re.compile(r"(?: [A-Za-z]+){1,4}")
_WORD = re.compile(r" ([A-Za-z]+)")
_OF_WHOM = re.compile(r" of (the|them|those|these|his|her|their|its|which|whom|my)\b")
_ALONE = frozenset(["them", "which", "whom", "those", "these"])
_STOP = re.compile(r"[,.;)]|$")
_PERCENT = re.compile(r"%|per ?cent")
_WHOSE = re.compile(rf" (?:{_LISTS.either('whose')})\b")
_FRACTION = re.compile(r"(\d{1,2})/(\d{1,2})")
_HALF = re.compile(r"(?:one[ -])?half", re.IGNORECASE)
_NO_SHARE_BEHIND = re.compile(
    rf"-| (?:{_LISTS.either('no_share_behind')})\b| (?:of )?(?:the|her|his|its|their) (?:price|speed|rate|cost|size|amount)\b"
)
_NO_SHARE_BEFORE = re.compile(r"\b(?:in|by|an?|another|every|per|and) $", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PartWholeSplit:
    """A whole, some parts and the rest, which make it; without a `whole`, they are shares that make one."""

    noun: str
    whole: NumberMention | None
    parts: tuple[NumberMention, ...]
    rest: NumberMention

    @property
    def mentions(self) -> tuple[NumberMention, ...]:
        """Return all its numbers, in order."""
        every = [*self.parts, self.rest] if self.whole is None else [self.whole, *self.parts, self.rest]
        return tuple(sorted(every, key=lambda mention: mention.start))


def splits_of(question: LocatedQuestion) -> list[PartWholeSplit]:
    """Return what a question splits into parts and a rest that it tells as well, in order."""
    rests = enumerate(question.mentions)
    splits = (_of_shares(question, number, rest) or _of_things(question, number, rest) for number, rest in rests)
    return [split for split in splits if split is not None]


def _is_rest(question: LocatedQuestion, mention: NumberMention) -> bool:
    before = question.text[max(0, mention.start - 24) : mention.start]
    if _REST.search(before):
        return True
    return _DETERMINED.search(before) is not None and _OTHER_BEHIND.match(question.text, mention.end) is not None


def is_share(question: LocatedQuestion, mention: NumberMention) -> bool:
    """Tell whether a number is a share of something, in hundredths or a named part."""
    value, text = mention.readings[0], mention.text.lower()
    if not 0 < value < 1 or _NO_SHARE_BEHIND.match(question.text, mention.end):
        return False
    behind = _WORD.match(question.text, mention.end)
    if behind is not None and singular_noun(behind[1].lower()) in MEASURES | TIMES | {"dozen"}:
        return False
    named = _HALF.fullmatch(text) or _FRACTION.fullmatch(text) or re.split(r"[ -]", text)[-1].rstrip("s") in PARTS
    return _PERCENT.search(text) is not None or bool(named)


def _of_shares(question: LocatedQuestion, number: int, rest: NumberMention) -> PartWholeSplit | None:
    if not is_share(question, rest) or not _is_rest(question, rest):
        return None
    parts: list[NumberMention] = []
    missing = 1 - Fraction(rest.readings[0])
    start = _sentences_back(question, rest, 1)
    for mention in reversed(question.mentions[:number]):
        if mention.start < start or len(parts) == MOST_PARTS:
            return None
        if not is_share(question, mention):
            continue
        if _NO_SHARE_BEFORE.search(question.text, max(0, mention.start - 9), mention.start):
            return None
        parts.insert(0, mention)
        missing -= mention.readings[0]
        if missing <= 0:
            break
    return PartWholeSplit("", None, tuple(parts), rest) if parts and missing == 0 else None


def _sentences_back(question: LocatedQuestion, mention: NumberMention, count: int) -> int:
    """Return where the sentence of a number, or the one `count` before it, begins."""
    number = next(
        (index for index, sentence in enumerate(question.sentences) if sentence.start <= mention.start < sentence.end),
        0,
    )
    return question.sentences[max(0, number - count)].start


def _of_things(question: LocatedQuestion, number: int, rest: NumberMention) -> PartWholeSplit | None:
    if not _counts(question, rest) or rest.readings[0] == 1 or not _is_rest(question, rest):
        return None
    noun = _noun_behind(question, rest).strip("?")
    start = _sentences_back(question, rest, 3)
    for place in range(number - 1, -1, -1):
        whole = question.mentions[place]
        if whole.start < start:
            return None
        kinds = _nouns_behind(question, whole)
        if not kinds or (noun and noun not in kinds):
            continue
        if whole.readings[0] <= rest.readings[0] or not _counts(question, whole):
            continue
        kind = noun or kinds[-1]
        for parts in _parts(question, kind, place, number):
            if (
                0 < len(parts) <= MOST_PARTS
                and sum(mention.readings[0] for mention in [*parts, rest]) == whole.readings[0]
            ):
                # `into 5 baskets. He gave 5 of his students … 3 of them … the other 2`: the nearer five are the whole.
                nearer = question.mentions[place + 1 : number]
                if any(mention.readings[0] == whole.readings[0] for mention in nearer):
                    return None
                return PartWholeSplit(kind, whole, tuple(parts), rest)
    return None


def _parts(question: LocatedQuestion, noun: str, place: int, number: int) -> Iterator[Sequence[NumberMention]]:
    """Yield what may be the parts of a whole at a place: those said to be so, `2 of the 5`, and those that could be."""
    whole, between = question.mentions[place], question.mentions[place + 1 : number]
    before = question.mentions[place - 1] if place else None
    if before is not None and re.fullmatch(r" of (?:the|his|her|their|its) ", question.text[before.end : whole.start]):
        yield [before] if _counts(question, before) else []
        return
    tied = [mention for mention in between if _counts(question, mention) and _is_of(question, noun, mention)]
    yield tied
    yield [
        mention
        for mention in between
        if mention in tied or (_counts(question, mention) and _is_bare(question, mention))
    ]


def _counts(question: LocatedQuestion, mention: NumberMention) -> bool:
    value, text = mention.readings[0], question.text
    whole = value.denominator == 1 and value >= 1 and len(re.findall(r"\w+", mention.text)) == 1
    if not whole or text.endswith("$", 0, mention.start) or _PERCENT.search(mention.text):
        return False
    one_of = mention.text.lower() == "one" and _OF_WHOM.match(text, mention.end) is not None
    return one_of or is_quantity(text, mention)


def _noun_behind(question: LocatedQuestion, mention: NumberMention) -> str:
    """Return the last of the plural nouns after a number, an empty text where no noun stands there, `?` where something else does."""
    nouns = _nouns_behind(question, mention)
    return nouns[-1] if nouns else ""


def _nouns_behind(question: LocatedQuestion, mention: NumberMention) -> tuple[str, ...]:
    """Return the plural nouns that stand together after a number, `3 fish tanks`; `?` where something else does."""
    match = _WORDS.match(question.text, mention.end)
    words = [] if match is None else match[0].lower().split()
    if words and words[0] in {"other", "remaining"}:
        words = words[1:]
    if not words or words[0] in FUNCTION_WORDS | FINITE:
        return ()
    nouns: list[str] = []
    for word in words:
        if word in FUNCTION_WORDS or (nouns and not is_plural(word)):
            break
        if is_plural(word):
            nouns.append(word)
    return tuple(nouns) or ("?",)


def _is_of(question: LocatedQuestion, noun: str, mention: NumberMention) -> bool:
    """Tell whether a number counts some of the things: `4 of them`, `4 of the pens`, `4 red pens`."""
    match = _OF_WHOM.match(question.text, mention.end)
    if match is None:
        return _noun_behind(question, mention) == noun
    if match[1] in _ALONE - {"those", "these"}:
        return True
    words = _WORDS.match(question.text, match.end())
    behind = [] if words is None else words[0].lower().split()
    return noun in behind or (match[1] in _ALONE and (not behind or behind[0] in FUNCTION_WORDS | FINITE))


def _is_bare(question: LocatedQuestion, mention: NumberMention) -> bool:
    """Tell whether no noun stands after a number, which may then be of any: `Four are red`, `gave 4 to Tom`."""
    if _STOP.match(question.text, mention.end) is not None:
        return True
    return _noun_behind(question, mention) == "" and _OF_WHOM.match(question.text, mention.end) is None


_NEAR_SHARES = tuple(Fraction(share) for share in ("1/5", "1/4", "1/3", "2/5", "3/5", "2/3", "3/4", "4/5"))


def share_otherwise(question: LocatedQuestion, mention: NumberMention, value: Exact) -> str | None:
    """Write a share in another form than one of a question: `40 percent` for `40%`, `50%` for `half`, `1/3` for `one-third`."""
    text, starts = mention.text, _starts(question, mention)
    hundredths = Fraction(value) * 100
    if _PERCENT.search(text) or _HALF.fullmatch(text):
        behind = question.text[mention.end :]
        if hundredths.denominator != 1 or (_HALF.fullmatch(text) and _WHOSE.match(behind)):
            return None
        return f"{hundredths} percent" if text.endswith("%") else f"{hundredths}%"
    part = Fraction(value)
    if _FRACTION.fullmatch(text):
        name = PART_NAMES.get(part.denominator)
        if name is None or not 2 < part.denominator <= 10:
            return None
        words = f"{write_cardinal(part.numerator)}-{name}{'s' if part.numerator > 1 else ''}"
        return words.capitalize() if starts else words
    return None if starts else f"{part.numerator}/{part.denominator}"


def other_shares(mention: NumberMention) -> list[Exact]:
    """Return shares close to one of a question that are written in the same way."""
    value = Fraction(mention.readings[0])
    if _PERCENT.search(mention.text) or _HALF.fullmatch(mention.text):
        steps = (Fraction(sign * size, 100) for size in (5, 10, 15, 20) for sign in (1, -1))
        return sorted(value + step for step in steps if Fraction(1, 20) <= value + step <= Fraction(19, 20))
    same = {Fraction(top, value.denominator) for top in range(1, value.denominator)} if value.denominator > 4 else set()
    usual = {share for share in _NEAR_SHARES if abs(share - value) < Fraction(1, 4)}
    alike = {share for share in same if share.denominator == value.denominator}
    return sorted((alike or usual) - {value})


def _starts(question: LocatedQuestion, mention: NumberMention) -> bool:
    return mention.start == 0 or question.text[max(0, mention.start - 3) : mention.start].strip() in {"", ".", "?", "!"}
