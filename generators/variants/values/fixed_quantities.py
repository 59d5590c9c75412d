"""Numbers of a question that can have no other value, because nature, custom or other words determine them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from generators.variants.question.input_places import NumberPlace
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.program import ir
from harness.text.lexicon import word_lists
from harness.text.nouns import singular_noun
from harness.text.units import DAYS, MONTHS, factor

_LISTS = word_lists(__file__)


_NATURAL = _LISTS.words("natural")
"""Things whose number nature, custom or a mint decides."""
_BEHIND = re.compile(r"[ -]+([a-z]+)(?:[ -]+([a-z]+))?(?:[ -]+([a-z]+))?", re.IGNORECASE)
_TWO = re.compile(
    rf"\b(?:{_LISTS.either('two')})\b",
    re.IGNORECASE,
)
_GROUPED = {
    3: re.compile(r"\b(?:trios?|triplets?|triangles?|triangular|tricycles?)\b", re.IGNORECASE),
    4: re.compile(r"\b(?:quartets?|quadruplets?|squares?|rectang\w+)\b", re.IGNORECASE),
    5: re.compile(r"\b(?:quintets?|pentagon\w*|weekdays?|fingers)\b", re.IGNORECASE),
    6: re.compile(r"\b(?:hexagon\w*)\b", re.IGNORECASE),
    7: re.compile(r"\b(?:every day|daily)\b", re.IGNORECASE),
}
_ORDINALS = {2: "second|2nd", 3: "third|3rd", 4: "fourth|4th", 5: "fifth|5th", 6: "sixth|6th", 7: "seventh|7th"}
_ITEM = r"\$?\w[\w’'-]{0,40}(?: [\w’'-]{1,40}){0,4}?"
_LIST = re.compile(
    rf"(?<![\w’'$-])(?:(?:{_ITEM}, ){{1,8}}(?:(?:and|or) )?{_ITEM}(?: (?:and|or) {_ITEM})?\b"
    r"|[A-Z][\w’'-]{0,40} and [A-Z][\w’'-]{0,40}|an? [\w’'-]{1,40} and an? [\w’'-]{1,40})"
)
_FREQUENT = re.compile(
    r" ?-?(?:hours?|days?|weeks?|months?|minutes?|seconds?|inches|quarters?)\b[^.?!]{0,12}?\b(?:a|an|per|each|every|in an?|in the)\b"
)
_MONTHS = re.compile(rf"\b(?:months?|{'|'.join(MONTHS)})\b")
_DAYS = re.compile(r"[ -]days?\b")
_KNOWN = {
    52: re.compile(r"[ -](?:\w+ )?cards?\b"),
    26: re.compile(r" letters\b"),
    18: re.compile(r"[ -]holes?\b"),
    88: re.compile(r" keys\b"),
    50: re.compile(r" states\b"),
    13: re.compile(r" cards\b"),
}
_MINT = re.compile(r"\b(?:bills|coins?|notes|[- ]bill|denominations?|pennies|nickels?|dimes?|quarters)\b")
_MINTED = frozenset(
    [1, 2, 5, 10, 20, 25, 50, 100, Fraction(1, 2), Fraction(1, 4), Fraction(1, 10), Fraction(1, 20), Fraction(1, 100)]
)
_CYCLES = frozenset({*DAYS["month"], *DAYS["year"]}) - {29, 360} | {
    factor(small, large)
    for small, large in (("day", "week"), ("month", "year"), ("hour", "day"), ("week", "year"), ("minute", "hour"))
}


def has_natural_value(subject: VariantSubject, place: NumberPlace) -> bool:
    """Tell whether the words leave a number no other value: a year, wheels of a car, the length of a list."""
    text, value = subject.question.text, place.value
    written = text[place.start : place.end]
    if re.fullmatch(r"(?:1[5-9]|20)\d\d", written) and subject.units[place.variables[0]].quantity is not Quantity.MONEY:
        return True
    match = _BEHIND.match(text, place.end)
    if match is not None and any(word and singular_noun(word.lower()) in _NATURAL for word in match.groups()[:2]):
        return True
    if value in _CYCLES and _FREQUENT.match(text, place.end):
        return True
    if value in range(28, 32) and _DAYS.match(text, place.end) and _MONTHS.search(text):
        return True
    if value in _KNOWN and _KNOWN[int(value)].match(text, place.end):
        return True
    unit = subject.units[place.variables[0]]
    if unit.quantity is Quantity.MONEY and value in _MINTED and _MINT.search(text):
        return True
    if value not in range(2, 9) or "%" in written or "$" in text[max(0, place.start - 1) : place.start + 1]:
        return False
    every = f"{text}\n{subject.source.problem.solution}"
    if value == 2 and _TWO.search(every):
        return True
    if value in _GROUPED and _GROUPED[int(value)].search(every):
        return True
    if value in _ORDINALS and re.search(rf"\b(?:{_ORDINALS[int(value)]})\b", every, re.IGNORECASE):
        return True
    if _counts_terms(subject.source, place.variables[0], int(value)):
        return True
    return any(_items(listed[0]) == value for listed in _LIST.finditer(text))


def _items(words: str) -> int:
    return len(re.split(r", (?:and |or )?| and | or ", words))


def _counts_terms(source: FlawSource, name: str, value: int) -> bool:
    """Tell whether an input is how many summands a step has: the three tests of an average."""
    sums = {entry.variable: _terms(entry.expression) for entry in source.steps}
    if value > 2 and value in sums.values():
        return True
    for entry in source.steps:
        match entry.expression:
            case ir.Binary("/", ir.Name(total), ir.Name(count)) if count == name and sums.get(total) == value:
                return True
            case ir.Binary("/", total, ir.Name(count)) if count == name and _terms(total) == value:
                return True
    return False


def _terms(node: object) -> int:
    match node:
        case ir.Binary("+", left, right):
            return _terms(left) + _terms(right)
    return 1


def determined_inputs(subject: VariantSubject) -> Iterator[str]:
    """Yield the inputs that others of the question may make up or complete, without a step that says so.

    Of a class of 30 with 18 girls and 12 boys none can change alone, nor 40% where the other 60% are spoken of.
    """
    question = subject.question
    numbers = [_Said(place.variables, place.value, place.start, place.end) for place in question.places]
    numbers += [
        _Said((), mention.readings[0], mention.start, mention.end)
        for mention in question.loose
        if mention.text.lower() not in _ONE
    ]
    if len(numbers) > MOST_NUMBERS:
        yield from (name for number in numbers for name in number.names)
        return
    by_value: dict[Exact, list[_Said]] = {}
    for number in numbers:
        by_value.setdefault(number.value, []).append(number)
    for first, other in combinations(numbers, 2):
        for result in (first.value + other.value, first.value * other.value):
            for third in by_value.get(result, ()) if result > SMALL_SUM else ():
                if third is not first and third is not other and 1 not in {first.value, other.value}:
                    yield from (*first.names, *other.names, *third.names)
    shares = [(number, share) for number in numbers if (share := _share(question.text, number)) is not None]
    for size in (2, 3, 4):
        for some in combinations(shares[:MOST_SHARES], size):
            if sum(share for _, share in some) == 1:
                yield from (name for quantity, _ in some for name in quantity.names)
    for number in numbers:
        if not number.names:
            sentence = question.sentence_at(number.start)
            kind = _kind(question.text, number)
            alike = (other for other in numbers if other.names and kind and _kind(question.text, other) == kind)
            together = (other for other in alike if question.sentence_at(other.start) == sentence)
            yield from (name for other in together for name in other.names)


@dataclass(frozen=True, slots=True)
class _Said:
    """A number of the question and the inputs it gives, if any."""

    names: tuple[str, ...]
    value: Exact
    start: int
    end: int


_ONE = frozenset(["one", "1", "once"])
_PERCENT = re.compile(r" ?(?:%|per ?cent\b)")
_NOUN_BEHIND = re.compile(r"[ -]([a-z]{2,})")
SMALL_SUM = 9
"""Up to this value, one number of a question may be the sum of two others by chance."""
MOST_SHARES = 8
MOST_NUMBERS = 60


def _share(text: str, said: _Said) -> Fraction | None:
    if 0 < said.value < 1:
        return Fraction(said.value)
    return Fraction(said.value) / 100 if _kind(text, said) == "%" and 0 < said.value < 100 else None


def _kind(text: str, said: _Said) -> str:
    """Return what a number counts by the next characters: percent, dollars, or a noun."""
    if text[said.start : said.end].endswith(("%", "percent")) or _PERCENT.match(text, said.end):
        return "%"
    if text.endswith("$", 0, said.start) or text.startswith("$", said.start):
        return "$"
    noun = _NOUN_BEHIND.match(text, said.end)
    return "" if noun is None or noun[1] in _LITTLE else singular_noun(noun[1])


_LITTLE = _LISTS.words("little")
