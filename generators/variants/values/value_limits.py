"""Values of an input that would violate a bound that the words of its problem set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import ceil, floor

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.quantity_bounds import clause_at, line_of, says_of_all
from generators.variants.question.input_places import NumberPlace
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind, ConstraintStep
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import TraceEntry, propagate
from harness.text.lexicon import word_lists
from harness.text.nouns import singular_noun
from harness.text.numbers import whole_as_int
from harness.text.units import factor

_LISTS = word_lists(__file__)

MOST_STEPS = 5
TOGETHER = "shares_together"
_LIVING = _LISTS.words("living")
_TAKING = re.compile(rf"\b(?:{_LISTS.either('taking')})\b")
_ARE = re.compile(r"\b(?:are|were|is|was|has|have)\b")
_REST = re.compile(r"\bthe (?:rest|others)\b")
_NEEDED = re.compile(r"\b(?:need\w*|requir\w+|more|missing|short|goal|target|must|still has to|to go)\b")
_LEFT = re.compile(r"\b(?:left|remain|remains|remained|remaining|the rest|leftover)\b")
_GETTING = re.compile(rf"\b(?:{_LISTS.either('getting')})\b")
_FEWER = re.compile(r" (?:[a-z]+ ){0,3}?(?:fewer|less|younger|shorter|lighter|smaller)\b(?: [a-z]+){0,4}? than\b")
_OWING = re.compile(rf"\b(?:{_LISTS.either('owing')})\b")
_SPENDING = re.compile(rf"\b(?:{_LISTS.either('spending')})\b")
_EARNING = re.compile(rf"\b(?:{_LISTS.either('earning')})\b")
_OF_KIND = re.compile(
    r" of (?:them|these|those|which|whom|(?:the|these|those|his|her|their|its) (?P<noun>[a-z]+))\b(?! of\b)"
)
_REST_OF_SHARES = re.compile(r"\bthe (?:rest|others|remainder|remaining|other)\b")
_NESTED = re.compile(
    r"\bof (?:the |his |her |their |its )?(?:rest|remain\w+|others?|balance|those|these)\b|\bdiscount|\boff\b"
)
_OF_WHOLE = re.compile(r"(?: ?%| ?per ?cent)? of (?:the |his |her |their |its |all )*(?P<noun>[a-z]+)")
_PERCENT = re.compile(r"\d+(?:\.\d+)?(?: ?%| ?per ?cent)")
_SHARED = re.compile(f"(?:{_LISTS.either('shared')})$")
_OF = re.compile(r" of (?:the|them|those|these|his|her|their|all)\b")
_UNSURE = re.compile(
    r"\b(?:about|approximately|around|almost|nearly|roughly|average|expect\w*|probab\w*|likely|chance)\b"
)
_TIED = re.compile(
    r"\b(?:others?|rest|remaining|week(?:day|end)s?|except|off|\w+day|daily)s?\b(?<!\bday)(?<!\bdays)(?<!\btoday)"
)
_RATES = (
    (re.compile(r" hours (?:a|per|each|every|in a|in one) day\b"), factor("hour", "day"), 30, "a day has 24 hours"),
    (
        re.compile(r" days (?:a|per|each|every|in a|in one|out of the) week\b"),
        factor("day", "week"),
        9,
        "a week has seven days",
    ),
    (
        re.compile(r" months (?:a|per|each|every|in a|out of the) year\b"),
        factor("month", "year"),
        18,
        "a year has twelve months",
    ),
    (
        re.compile(r" minutes (?:an|per|each|every|of each|of every) hour\b"),
        factor("minute", "hour"),
        90,
        "an hour has 60 minutes",
    ),
)


@dataclass(frozen=True, slots=True)
class BoundViolation:
    """The forbidden values of an input: values that break a bound, and the bound, which the problem's own value meets.

    One that is `tied` has words elsewhere that fit no other value. `steps` compute the bounded quantity where the
    solution does not.
    """

    variable: str
    place: NumberPlace
    bound: Bound
    breaking: tuple[Exact, ...]
    tied: bool = False
    steps: tuple[ConstraintStep, ...] = ()


def bound_violations(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield values that the words of a problem make impossible, input by input."""
    for name, place in subject.question.place_of.items():
        if place.rewritable and len(place.variables) == 1 and not place.form.rounded:
            yield from _rates(subject, name, place)
    for step in subject.source.steps:
        yield from _differences(subject, step)
        yield from _shares(subject, step)
    for step in subject.source.steps:
        yield from _leftovers(subject, step)
    yield from _parts(subject)
    yield from _shares_together(subject)


def _rates(subject: VariantSubject, name: str, place: NumberPlace) -> Iterator[BoundViolation]:
    """Yield more hours than a day has, more days than a week has, but not where several share them or a sentence says how many there are."""
    if says_of_all(subject, place):
        return
    for words, most, largest, reason in _RATES:
        if words.match(subject.question.text, place.end) and 0 < place.value <= most:
            bound = Bound(f"at-most-{most}:{name}", name, BoundKind.AT_MOST, reason, most)
            breaking = tuple(range(most + 1, largest + 1))
            yield BoundViolation(name, place, bound, breaking, _TIED.search(subject.question.text) is not None)


def _differences(subject: VariantSubject, step: TraceEntry) -> Iterator[BoundViolation]:
    """Yield parts larger than their wholes, and wholes smaller than their parts."""
    unit = subject.units[step.variable]
    signs = _signs(subject.source.expression(step.variable))
    if unit.quantity not in {Quantity.COUNT, Quantity.TIME, Quantity.MEASURE} or step.value <= 0 or signs is None:
        return
    parts = [name for name, sign in signs.items() if sign < 0]
    sure = [part for part in parts if _counted_down(subject, part) or _taken(subject, part, signs, step)]
    wholes = [name for name, sign in signs.items() if sign > 0]
    if not sure or len(sure) != len(parts):
        return
    words = f"{unit.noun or 'what'} cannot be fewer than none"
    bound = Bound(f"not-negative:{step.variable}", step.variable, BoundKind.NOT_NEGATIVE, words)
    for name, larger in (*((part, True) for part in sure), *((whole, False) for whole in wholes)):
        place = subject.question.place_of.get(name)
        if place is not None and place.rewritable and len(place.variables) == 1:
            most = place.value + step.value if larger else place.value - step.value
            yield BoundViolation(name, place, bound, _beyond(most, larger=larger))


def _signs(expression: ir.Expr) -> dict[str, int] | None:
    """Return which variables a sum of variables adds and which it takes away, `None` for other expressions."""
    match expression:
        case ir.Name(name):
            return {name: 1}
        case ir.Binary("+" | "-" as symbol, left, right):
            first, other = _signs(left), _signs(right)
            if first is None or other is None or not first.keys().isdisjoint(other):
                return None
            return first | {name: sign if symbol == "+" else -sign for name, sign in other.items()}
    return None


def _beyond(limit: Exact, *, larger: bool) -> tuple[Exact, ...]:
    """Return values a little beyond a limit, coarse where it is round."""
    grain = 1
    while limit.denominator == 1 and limit > grain * 10 and limit % (grain * 10) == 0:
        grain *= 10
    steps = [*range(1, MOST_STEPS + 1), *(grain * count for count in range(1, MOST_STEPS + 1))]
    values = dict.fromkeys(Fraction(limit + step if larger else limit - step) for step in steps)
    return tuple(whole_as_int(value) for value in values if value > 1)


def _counted_down(subject: VariantSubject, part: str) -> bool:
    """Tell whether a part is how many fewer, or how many years younger, something is."""
    place = subject.question.place_of.get(part)
    return place is not None and _FEWER.match(subject.question.text, place.end) is not None


def _taken(subject: VariantSubject, part: str, signs: Mapping[str, int], step: TraceEntry) -> bool:
    """Tell whether the words say that a part is taken from all there is, and that the rest is what is left."""
    place = subject.question.place_of.get(part)
    if place is None or not all(subject.units[part].fits(subject.units[name]) for name in signs):
        return False
    line = subject.source.problem.solution.split("\n")[max(0, subject.source.line_number(step.variable) - 1)]
    sentence = subject.question.sentence_at(place.start)
    name = step.variable.replace("_", " ")
    if sentence is None or _NEEDED.search(name) or not (_LEFT.search(line) or _LEFT.search(name)):
        return False
    text = subject.question.text
    if not _LEFT.search(text) or _GETTING.search(sentence.text) or _UNSURE.search(sentence.text):
        return False
    return bool(_TAKING.search(sentence.text) or (_REST.search(text) and _ARE.search(sentence.text)))


def _leftovers(subject: VariantSubject, step: TraceEntry) -> Iterator[BoundViolation]:
    """Yield a part above its whole, and a whole below its part, for the numbers from which a rest is computed."""
    unit, text = subject.units[step.variable], subject.question.text
    match step.expression:
        case ir.Binary("-"):
            told = f"{line_of(subject, step)} {step.variable.replace('_', ' ')}"
        case _:
            return
    quantities = {Quantity.COUNT, Quantity.TIME, Quantity.MEASURE, Quantity.MONEY}
    if unit.quantity not in quantities or step.value <= 0 or _OWING.search(text):
        return
    if not (_LEFT.search(text) and _LEFT.search(told)) or _NEEDED.search(step.variable.replace("_", " ")):
        return
    slopes = dict(_slopes(subject, step))
    lessening = [name for name, slope in slopes.items() if slope < 0]
    asked = " ".join(sentence.text for sentence in subject.question.sentences if sentence.asks)
    if _NEEDED.search(asked):
        return
    sure = _LEFT.search(asked) is not None and " than " not in asked
    if not lessening or not (sure or all(_takes(subject, name, unit.quantity) for name in lessening)):
        return
    words = f"{unit.noun or 'what'} cannot be fewer than none"
    bound = Bound(f"not-negative:{step.variable}", step.variable, BoundKind.NOT_NEGATIVE, words)
    for name, slope in sorted(slopes.items(), key=lambda pair: pair[1] > 0):
        place = subject.question.place_of[name]
        most = Fraction(place.value) - step.value / slope
        most = Fraction(floor(most) if slope < 0 else ceil(most))
        if place.rewritable and len(place.variables) == 1:
            yield BoundViolation(name, place, bound, _beyond(most, larger=slope < 0))


def _slopes(subject: VariantSubject, step: TraceEntry) -> Iterator[tuple[str, Fraction]]:
    """Yield by how much a step grows with each located input that it grows or shrinks with, evenly, as far as that can be told."""
    for name, place in subject.question.place_of.items():
        reached = step.variable in subject.source.trace.descendants(name)
        if not reached or subject.units[name].quantity is Quantity.SHARE or place.value.denominator != 1:
            continue
        try:
            results = [
                Fraction(propagate(subject.source.trace, name, place.value + more).values[step.variable])
                for more in (1, 2)
            ]
        except (Refusal, ProgramError):
            continue
        slope = results[0] - step.value
        if slope != 0 and results[1] - results[0] == slope:
            yield name, slope


def _takes(subject: VariantSubject, name: str, quantity: Quantity) -> bool:
    """Tell whether the sentence of a number tells of taking, and of nothing that comes to what there was."""
    sentence = subject.question.sentence_at(subject.question.place_of[name].start)
    if sentence is None or _UNSURE.search(sentence.text):
        return False
    taking, getting = (_SPENDING, _EARNING) if quantity is Quantity.MONEY else (_TAKING, _GETTING)
    return taking.search(sentence.text) is not None and getting.search(sentence.text) is None


def _parts(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield more of some things than there are: `12 of the 8 pens`, where both numbers are given."""
    question = subject.question
    for part in question.places:
        of = _OF_KIND.match(question.text, part.end)
        sentence = question.sentence_at(part.start)
        unsure = sentence is None or _UNSURE.search(sentence.text) is not None
        if of is None or unsure or not part.rewritable or len(part.variables) > 1 or part.value <= 1:
            continue
        if part.form.after.strip() or _PERCENT.match(question.text, part.start) is not None:
            # `80% of them` is no number of things.
            continue
        whole = next((place for place in reversed(question.places) if place.end <= part.start), None)
        if whole is None or len(whole.variables) > 1 or not whole.rewritable or whole.value <= part.value:
            continue
        name, all_of_it = part.variables[0], whole.variables[0]
        noun = subject.units[all_of_it].noun
        counted = subject.units[all_of_it].quantity is Quantity.COUNT and bool(noun)
        if counted and (of["noun"] is None or singular_noun(of["noun"]) == noun):
            words = clause_at(subject, part.start, part.end)
            bound = Bound(f"part:{name}", name, BoundKind.AT_MOST, words, all_of_it)
            yield BoundViolation(name, part, bound, _beyond(whole.value, larger=True))


def _shares_together(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield shares of one whole, whose rest is told as well, that are more than all of it together: `60% red, 50% blue`."""
    question = subject.question
    for sentence in question.sentences:
        places = [place for place in question.places if sentence.start <= place.start < sentence.end]
        shares = [place for place in places if _PERCENT.match(question.text, place.start) is not None]
        rest = _REST_OF_SHARES.search(question.text, sentence.start)
        wholes = {match["noun"] for place in shares if (match := _OF_WHOLE.match(question.text, place.end)) is not None}
        unclear = _NESTED.search(sentence.text) or _UNSURE.search(sentence.text) or TOGETHER in subject.values
        if len(shares) < 2 or rest is None or unclear or len(wholes) > 1:
            continue
        if any(not place.rewritable or len(place.variables) > 1 or place.value <= 0 for place in shares):
            continue
        scale = {100 if place.value >= 1 else 1 for place in shares}
        if len(scale) == 1 and sum(Fraction(place.value) for place in shares) < min(scale):
            yield from _more_than_all(shares, min(scale), sentence.text)


def _more_than_all(shares: Sequence[NumberPlace], everything: int, words: str) -> Iterator[BoundViolation]:
    first, *others = (place.variables[0] for place in shares)
    added: ir.Expr = ir.Name(first)
    for name in others:
        added = ir.Binary("+", added, ir.Name(name))
    step = ConstraintStep(f"together:{TOGETHER}", TOGETHER, added, words)
    bound = Bound(f"at-most-all:{TOGETHER}", TOGETHER, BoundKind.AT_MOST, words, everything)
    grain, total = Fraction(everything, 20), sum(Fraction(place.value) for place in shares)
    for place in shares:
        least = int((everything - total + place.value) // grain) + 1
        values = tuple(whole_as_int(grain * count) for count in range(least, min(least + MOST_STEPS, 20)))
        yield BoundViolation(place.variables[0], place, bound, values, steps=(step,))


def _shares(subject: VariantSubject, step: TraceEntry) -> Iterator[BoundViolation]:
    """Yield numbers of people or animals of which the share that the problem speaks of is no whole number."""
    unit = subject.units[step.variable]
    if unit.quantity is not Quantity.COUNT or unit.noun not in _LIVING:
        return
    if step.value.denominator != 1 or step.value <= 0 or not _multiplies(subject.source.expression(step.variable)):
        return
    for whole, share in permutations(step.reads, 2):
        place, of = subject.question.place_of.get(whole), subject.question.place_of.get(share)
        if place is None or of is None or not place.rewritable or place.value.denominator != 1:
            continue
        text = subject.question.text
        sentence = subject.question.sentence_at(of.start)
        if sentence is None or _UNSURE.search(sentence.text):
            continue
        if _SHARED.search(text[of.start : of.end]) is None or _OF.match(text, of.end) is None:
            continue
        bound = Bound(f"whole:{step.variable}", step.variable, BoundKind.WHOLE, f"there is no part of a {unit.noun}")
        value = int(place.value)
        others = tuple(other for other in range(max(2, value - 9), value + 10) if other != value)
        yield BoundViolation(whole, place, bound, others)


def _multiplies(expression: ir.Expr) -> bool:
    """Tell whether an expression only multiplies and divides variables and numbers."""
    match expression:
        case ir.Name() | ir.Const():
            return True
        case ir.Binary("*" | "/", left, right):
            return _multiplies(left) and _multiplies(right)
    return False
