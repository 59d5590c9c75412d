"""The assignment of solution inputs to numbers of the question, by the words around them, names and comments."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from generators.formalizations.written_numbers import can_mean_value
from harness.domain import Exact
from harness.solution.trace import TraceEntry
from harness.text.lexicon import english
from harness.text.numbers import MULTIPLES, PARTS, PLURAL_PARTS, NumberMention, mentions
from harness.text.units import MEASURES, TIMES

_LISTS = english("number_assignment")

FARTHEST = 12
"""The number of words before and after a number that are compared."""
STOPS = frozenset([".", "?", "!", ";"])
LIGHT = _LISTS.words("light")
"""Words that do not name the counted thing."""
_NO_NOUN = _LISTS.words("no_noun")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d[\d,.]*\d|\d|[$%€£.?!;]")


@dataclass(frozen=True)
class WordContext:
    """A text by its words, numerals and signs, in lower case without plural `s`, and where each starts and ends."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def before(self, mention: NumberMention) -> tuple[str, ...]:
        """Return the words before a number, the nearest first."""
        at = bisect_right(self.ends, mention.start)
        return self.words[max(0, at - FARTHEST) : at][::-1]

    def after(self, mention: NumberMention) -> tuple[str, ...]:
        """Return the words after a number."""
        at = bisect_left(self.starts, mention.end)
        return self.words[at : at + FARTHEST]

    def same_noun(self, start: int, end: int, other_start: int, other_end: int) -> bool:
        """Tell whether two numbers of the text are followed by the same noun, and both or neither by a dollar sign."""
        own, other = self._noun(end), self._noun(other_end)
        signs = [start > 0 and self.text[start - 1] == "$" for start in (start, other_start)]
        return signs[0] == signs[1] and bool(own) and own == other

    def _noun(self, place: int) -> str:
        """Return the word after a number, empty where it is no noun."""
        at = bisect_left(self.starts, place)
        word = self.words[at] if at < len(self.words) else ""
        return "" if word in LIGHT or not word.isalpha() or word in _NO_NOUN else word


def word_context(text: str) -> WordContext:
    """Read a text by its words."""
    matches = list(_TOKEN.finditer(text))
    words = tuple(stem(match.group().lower()) for match in matches)
    return WordContext(text, words, tuple(match.start() for match in matches), tuple(match.end() for match in matches))


def stem(word: str) -> str:
    """Return a word without its plural or possessive `s`, enough to compare words."""
    if word[-1] != "s" or len(word) < 4:
        return word
    if word[-2] in "'’":
        return word[:-2]
    return word[:-1] if word[-2] != "s" else word


LONGEST_COMMENT = 2_000
DECISIVE = 1.5
"""The margin by which the words must favour one number over another."""
_NEAR = 2.0
_UNTOLD = -8.0
ENOUGH = 2.5
"""The least support of the words for a number that an input may mean."""
_UNITS = (TIMES | MEASURES | {"dollar", "cent", "feet"}) - {
    "time",
    "point",
    "square",
    "length",
    "width",
    "height",
    "weight",
}
_MULTIPLE_NAME = re.compile(r"multiplier|multiple|(?:^|_)times|twice|double|triple|factor|ratio|fold(?:_|$)")
_PART_NAME = re.compile(r"divisor|denominator|numerator|fraction|half|third|quarter|percent|pct|portion|share")
_MONEY_NAME = re.compile(_LISTS.either("money_name"))
_NO_MONEY_NAME = re.compile(r"(?:^|_)(?:num|number|count|hours|days|weeks|multiplier|percent)(?:_|$)")


@dataclass(frozen=True)
class InputDescription:
    """The content of an input's name and comment: the words, and the number with its surroundings where the comment has it."""

    words: frozenset[str]
    head: frozenset[str]
    anchors: tuple[tuple[NumberMention, tuple[str, ...], tuple[str, ...]], ...]
    money: bool | None
    multiple: bool
    part: bool
    units: frozenset[str]
    commented: bool
    is_one: bool


def input_description(entry: TraceEntry) -> InputDescription:
    """Read the name and the comment of an input."""
    comment = entry.comment[:LONGEST_COMMENT]
    name = entry.variable.lower()
    named = [stem(word) for word in name.split("_") if word and not word.isdigit()]
    around = word_context(comment)
    anchors = [
        (mention, around.before(mention), around.after(mention))
        for mention in mentions(comment)
        if can_mean_value(comment, mention, entry.value)
    ]
    many = _MULTIPLE_NAME.search(name) is not None
    anchors = [anchor for anchor in anchors if _is_relation(anchor[0], anchor[2]) == many] or anchors
    words = frozenset([*named, *(word for word in around.words if word.isalpha())]) - LIGHT
    head = frozenset(named[: named.index("per")] if "per" in named else named) - LIGHT
    money = None
    if not anchors and not comment:
        money = True if _MONEY_NAME.search(name) and not _NO_MONEY_NAME.search(name) else None
    return InputDescription(
        words,
        head,
        tuple(anchors),
        money,
        many,
        _PART_NAME.search(name) is not None,
        _UNITS.intersection(named),
        bool(comment),
        entry.value == 1 and "numerator" not in name,
    )


@dataclass(frozen=True, slots=True)
class NumberLikeness:
    """The likeness of an input and a number; `quoted` where its whole comment stands around that number."""

    score: float
    quoted: bool


def number_likeness(question: WordContext, mention: NumberMention, told: InputDescription) -> NumberLikeness:
    """Return the likeness of an input and a number of the question, by their words."""
    before, after = question.before(mention), question.after(mention)
    dollar = bool(before) and before[0] == "$"
    best = _UNTOLD if told.anchors else 0.0
    quoted = False
    for anchor, left, right in told.anchors:
        lefts, rights = _run(before, left), _run(after, right)
        score = 2 * (_weight(before[:lefts]) + _weight(after[:rights]))
        whole = lefts == min(len(left), FARTHEST) and rights == min(len(right), FARTHEST)
        same = anchor.text.lower() == mention.text.lower()
        if same:
            score += 1.0 if anchor.text.isalnum() else ENOUGH
        if (bool(left) and left[0] == "$") != dollar:
            score -= 4.0 if left else 0.5
        if _is_part(anchor) != _is_part(mention) or _is_multiple(anchor, right) != _is_multiple(mention, after):
            score -= 4.0
        if right and right[0] in _UNITS and not (after and after[0] == right[0]):
            score -= 4.0
        quoted = quoted or (whole and same and len(left) + len(right) > 0)
        best = max(best, score)
    if not told.anchors:
        if told.units and after and after[0] in _UNITS and after[0] not in told.units:
            best -= 4.0
        if told.commented and _heading(after, told.head) == 0:
            best -= 1.0
        if told.money and not dollar:
            best -= 2.0
        if told.multiple and not (_is_multiple(mention, after) or _is_part(mention)):
            best -= 3.0
        if told.part and not (_is_part(mention) or "%" in mention.text or "percent" in mention.text):
            best -= 3.0
    if told.is_one and _is_part(mention):
        best -= 4.0
    near = _nearness(before, told.words) + _nearness(after, told.words) + _heading(after, told.head)
    near += len(told.head.intersection([*_same_sentence(before), *_same_sentence(after)]))
    return NumberLikeness(best + near, quoted)


def _run(words: Sequence[str], others: Sequence[str]) -> int:
    """Return how many words are the same from the start."""
    same = 0
    for word, other in zip(words, others, strict=False):
        if word != other:
            break
        same += 1
    return same


def _weight(words: Sequence[str]) -> float:
    return sum(0.4 if word in LIGHT or word in STOPS else 1.0 for word in words)


def _nearness(words: Sequence[str], meant: Collection[str]) -> float:
    score = 0.0
    for distance, word in enumerate(words[:FARTHEST]):
        if word in STOPS:
            break
        if word in meant:
            score += 1.0 if distance < 3 else 0.6 if distance < 6 else 0.3
    return score


def _same_sentence(words: Sequence[str]) -> Sequence[str]:
    return words[: next((place for place, word in enumerate(words) if word in STOPS), len(words))]


def _heading(after: Sequence[str], head: Collection[str]) -> float:
    return 1.0 if any(word in head for word in [word for word in after[:4] if word not in LIGHT][:2]) else 0.0


def _is_part(mention: NumberMention) -> bool:
    words = re.split(r"[ -]", mention.text.lower())
    return words[-1] in PARTS or words[-1] in PLURAL_PARTS or "/" in mention.text


def _is_relation(mention: NumberMention, after: Sequence[str]) -> bool:
    return _is_part(mention) or _is_multiple(mention, after)


def _is_multiple(mention: NumberMention, after: Sequence[str]) -> bool:
    return mention.text.lower() in MULTIPLES or (bool(after) and after[0] == "time")


def is_like_known(question: WordContext, mention: NumberMention, entry: TraceEntry) -> bool:
    """Tell whether a number of the question can be what a solution calls world knowledge: `half` as the divisor 2, or what it quotes."""
    named = _is_part(mention) or mention.text.lower() in MULTIPLES
    return named or number_likeness(question, mention, input_description(entry)).quoted


def assign(
    likenesses: Mapping[str, Mapping[int, NumberLikeness]], values: Mapping[str, Exact]
) -> dict[str, int | None]:
    """Give each input the number it means, `None` where the words do not tell.

    `likenesses` has for each input its likeness to each number of its value. An input takes the number that is
    decisively likelier than all others; where two are alike, numbers that other inputs took are theirs. Inputs of one value
    share a number only where each of them quotes it; those of different `values`, such as 2 and 3, can share `2/3`.
    """
    taken: dict[str, int] = {}
    for name, scores in likenesses.items():
        best = _decisive(scores)
        if best is not None:
            taken[name] = best
    for name in [name for name, number in taken.items() if _is_rival(name, number, taken, likenesses, values)]:
        del taken[name]
    changed = True
    while changed:
        changed = False
        for name, scores in likenesses.items():
            if name in taken:
                continue
            used = set(taken.values())
            others = {number: score for number, score in scores.items() if number not in used}
            if others and len(others) < len(scores):
                best = _decisive(others)
                if best is not None and others[best].score > max(score.score for score in scores.values()) - _NEAR:
                    taken[name] = best
                    changed = True
    return {name: taken.get(name) for name in likenesses}


def _decisive(scores: Mapping[int, NumberLikeness]) -> int | None:
    ranked = sorted(((score.score, score.quoted, -number) for number, score in scores.items()), reverse=True)
    best, quoted, number = ranked[0]
    if best < ENOUGH:
        return None
    if quoted and sum(score.quoted for score in scores.values()) == 1:
        return -number
    return -number if len(ranked) == 1 or ranked[1][0] <= best - DECISIVE else None


def _is_rival(
    name: str,
    number: int,
    taken: Mapping[str, int],
    likenesses: Mapping[str, Mapping[int, NumberLikeness]],
    values: Mapping[str, Exact],
) -> bool:
    """Tell whether an input took a number that another one of its value took as well, without quoting it."""
    shared = any(
        other != name and taken_number == number and values[other] == values[name]
        for other, taken_number in taken.items()
    )
    return shared and not likenesses[name][number].quoted
