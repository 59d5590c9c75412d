"""Which inputs of a problem could be others without anything that its words say becoming false?"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from generators.conceptual.conversions import is_factor
from generators.flaws.units import Quantity, singular
from generators.problems.worked import Wording, constants_of
from harness.program import ir
from harness.solution.trace import Role
from harness.text.forms import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generators.flaws.source import Source
    from generators.problems.question import Place
    from generators.problems.subject import Subject
    from harness.domain import Exact


class Fixed(enum.StrEnum):
    """Why an input keeps its value."""

    PLACE = "no number of the question that can be written anew says it"
    SHARED = "one number of the question says it and something else"
    KNOWN = "everybody knows it"
    NATURE = "its noun or its sentence allows no other"
    HIDDEN = "the steps have a number that may have been worked out from it"
    PIECEWISE = "a step rounds, compares or takes a remainder"
    WORDS = "words of the solution hold on to what follows from it"
    RESTATED = "another number of the question may say what follows from it"
    UNUSED = "the answer does not depend on it"
    DETERMINED = "other numbers of the question may give it"


@dataclass(frozen=True, slots=True)
class Movable:
    """The inputs that can have other values, in order, and why each of the others cannot."""

    variables: tuple[str, ...]
    fixed: dict[str, Fixed]


def movable(subject: Subject, wording: Wording | None = None) -> Movable:
    """Return which inputs of a problem can have other values."""
    source = subject.source
    stuck, unused = _stuck(subject, wording or Wording(source)), source.trace.dead()
    fixed: dict[str, Fixed] = {}
    for entry in source.inputs:
        name = entry.variable
        why = Fixed.UNUSED if name in unused else _by_itself(subject, name)
        if why is None:
            reached = [name, *source.trace.descendants(name)]
            why = next((stuck[one] for one in reached if one in stuck), None)
        if why is not None:
            fixed[name] = why
    variables = tuple(entry.variable for entry in source.inputs if entry.variable not in fixed)
    return Movable(variables, fixed)


_NATURAL = frozenset(
    [
        "leg",
        "wheel",
        "tire",
        "tyre",
        "eye",
        "ear",
        "side",
        "corner",
        "finger",
        "toe",
        "hand",
        "wing",
        "quarter",
        "inning",
        "season",
        "face",
        "arm",
        "bill",
        "coin",
        "note",
        "siding",
        "half",
        "sided",
        "legged",
        "wheeled",
        "dimension",
        "dozen",
        "digit",
        "period",
        "semester",
        "grade",
        "hoof",
        "paw",
        "string",
    ]
)
"""What there are as many of as nature, custom or a mint decides."""
_BEHIND = re.compile(r"[ -]+([a-z]+)(?:[ -]+([a-z]+))?(?:[ -]+([a-z]+))?", re.IGNORECASE)
_TWO = re.compile(
    r"\b(?:both|other|others|neither|either|twins?|second|latter|former|couples?|pairs?|respectively|halves|each other|between)\b",
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
_ITEM = r"\$?\w[\w’'-]*(?: [\w’'-]+){0,4}?"
_LIST = re.compile(rf"(?:{_ITEM}, ){{1,8}}(?:(?:and|or) )?{_ITEM}(?: (?:and|or) {_ITEM})?\b|\b{_ITEM} and {_ITEM}\b")
_FREQUENT = re.compile(
    r" ?-?(?:hours?|days?|weeks?|months?|minutes?|seconds?|inches|quarters?)\b[^.?!]{0,12}?\b(?:a|an|per|each|every|in an?|in the)\b"
)
_MONTHS = re.compile(
    r"\b(?:months?|January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_DAYS = re.compile(r"[ -]days?\b")
_KNOWN = {
    52: re.compile(r"[ -](?:\w+ )?cards?\b"),
    26: re.compile(r" letters\b"),
    18: re.compile(r"[ -]holes?\b"),
    88: re.compile(r" keys\b"),
    50: re.compile(r" states\b"),
    13: re.compile(r" cards\b"),
}
_CYCLES = frozenset([7, 12, 24, 28, 30, 31, 52, 60, 365, 366])


def _by_itself(subject: Subject, name: str) -> Fixed | None:
    entry, place = subject.source.trace.by_name[name], subject.question.place_of.get(name)
    if place is None or not place.rewritable or place.form.kind is Kind.NAMED or place.form.rounded:
        return Fixed.PLACE
    if place.form.kind is Kind.FRACTION and subject.question.text[place.end : place.end + 1].isalpha():
        return Fixed.PLACE
    overlapping = (one for one in subject.question.places if one.start < place.end and place.start < one.end)
    if len(place.variables) > 1 or any(one is not place for one in overlapping):
        return Fixed.SHARED
    if entry.role is Role.WORLD_KNOWLEDGE_INPUT or is_factor(entry):
        return Fixed.KNOWN
    if place.value <= 0 or place.value == 1 or (place.value == 100 and "%" in place.form.after):
        return Fixed.KNOWN
    return Fixed.NATURE if _natural(subject, place) else None


def _natural(subject: Subject, place: Place) -> bool:
    """Tell whether the words leave a number no other value: a year, wheels of a car, the length of a list."""
    text, value = subject.question.text, place.value
    shown = text[place.start : place.end]
    if re.fullmatch(r"(?:1[5-9]|20)\d\d", shown) and subject.units[place.variables[0]].quantity is not Quantity.MONEY:
        return True
    match = _BEHIND.match(text, place.end)
    if match is not None and any(word and singular(word.lower()) in _NATURAL for word in match.groups()[:2]):
        return True
    if value in _CYCLES and _FREQUENT.match(text, place.end):
        return True
    if value in range(28, 32) and _DAYS.match(text, place.end) and _MONTHS.search(text):
        return True
    if value in _KNOWN and _KNOWN[int(value)].match(text, place.end):
        return True
    if value not in range(2, 9) or "%" in shown or "$" in text[max(0, place.start - 1) : place.start + 1]:
        return False
    every = f"{text}\n{subject.source.problem.solution}"
    if value == 2 and _TWO.search(every):
        return True
    if value in _GROUPED and _GROUPED[int(value)].search(every):
        return True
    if value in _ORDINALS and re.search(rf"\b(?:{_ORDINALS[int(value)]})\b", every, re.IGNORECASE):
        return True
    return _counts_terms(subject.source, place.variables[0], int(value)) or any(
        _items(one.group()) == value for one in _LIST.finditer(text)
    )


def _items(words: str) -> int:
    return len(re.split(r", (?:and |or )?| and | or ", words))


def _counts_terms(source: Source, name: str, value: int) -> bool:
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


_PIECEWISE = frozenset(["//", "%"])


def _stuck(subject: Subject, wording: Wording) -> dict[str, Fixed]:
    """Return the variables, given or worked out, that must keep their values, and why."""
    source = subject.source
    stuck: dict[str, Fixed] = {}
    for name in _hidden(subject):
        stuck.setdefault(name, Fixed.HIDDEN)
    for entry in source.steps:
        if not _smooth(entry.expression):
            stuck.setdefault(entry.variable, Fixed.PIECEWISE)
    for name in wording.held:
        stuck.setdefault(name, Fixed.WORDS)
    for name in _restated(subject):
        stuck.setdefault(name, Fixed.RESTATED)
    for name in _determined(subject):
        stuck.setdefault(name, Fixed.DETERMINED)
    return stuck


def _smooth(node: object) -> bool:
    match node:
        case ir.Name() | ir.Const():
            return True
        case ir.Binary("+" | "-" | "*" | "/", left, right):
            return _smooth(left) and _smooth(right)
        case ir.Unary("-" | "+", operand):
            return _smooth(operand)
        case ir.Call("Fraction" | "float", arguments, ()):
            return all(map(_smooth, arguments))
    return False


def _restated(subject: Subject) -> Iterator[str]:
    said = {reading for one in subject.question.loose for reading in one.readings}
    for name, value in subject.values.items():
        if value in said and value != 1:
            yield name


def _determined(subject: Subject) -> Iterator[str]:
    """Yield the inputs that others of the question may be the sum of or complete, without a step that says so.

    Of a class of 30 with 18 girls and 12 boys, none can change alone.
    """
    said = [(place.variables, place.value) for place in subject.question.places]
    said += [((), one.readings[0]) for one in subject.question.loose]
    computed = {value for entry in subject.source.steps for value in (entry.value,)}
    for (one, left), (other, right) in combinations(said, 2):
        total = left + right
        for third, value in said:
            if (
                value == total
                and value > SMALL_SUM
                and value not in computed
                and third is not one
                and third is not other
            ):
                yield from (*one, *other, *third)
    shares = [(names, value) for names, value in said if 0 < value < 1]
    if len(shares) > 1 and sum(value for _, value in shares) == 1:
        yield from (name for names, _ in shares for name in names)


SMALL_SUM = 9
"""Up to here, that one number of a question is the sum of two others is mere chance."""


def _hidden(subject: Subject) -> Iterator[str]:
    """Yield the inputs from which a number that has no place of its own may have been worked out by the author."""
    source, places = subject.source, subject.question.place_of
    unplaced: set[Exact] = set(constants_of(source))
    unplaced |= {
        entry.value for entry in source.inputs if entry.variable not in places or not places[entry.variable].rewritable
    }
    unplaced -= {0, 1, 100}
    placed = {entry.variable: entry.value for entry in source.inputs if entry.variable in places}
    if not unplaced:
        return
    for name, value in placed.items():
        if not unplaced.isdisjoint(_made_of(value)):
            yield name
    large = {one for one in unplaced if one > 2}
    for (name, value), (other, more) in combinations(placed.items(), 2) if large else ():
        quotients = {Fraction(value) / more, Fraction(more) / value} if value and more else set()
        if not large.isdisjoint({value + more, value - more, more - value, value * more, *quotients}):
            yield from (name, other)


def _made_of(value: Exact) -> set[Exact]:
    """Return what an author may write down for a number without showing how."""
    one = Fraction(value)
    made = {
        one,
        100 - one,
        100 + one,
        one / 100,
        one * 100,
        1 - one,
        1 + one,
        one - 1,
        1 - one / 100,
        1 + one / 100,
        one / 60,
        one * 60,
    }
    return {*made, 1 / one} if one else {*made}
