"""Evidence from impossible quantities: more than the whole, more than there were, a part of a person."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, is_plural, singular_noun
from harness.text.number_forms import format_value
from harness.text.units import DAYS, MEASURES, TIMES, factor
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence
from sft.validator.problem_text import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.validator.problem_text import ProblemNumber, ProblemText

_LISTS = word_lists(__file__)

_WEEKS = factor("week", "year")
_LIMITS = (
    (
        "day",
        re.compile(r"^ (?:[a-z]+ )?days? (?:(?:per|a|each|every|in a|of the|of every|out of the) week|weekly)\b"),
        factor("day", "week"),
        "a week has {} days",
    ),
    (
        "hour",
        re.compile(r"^[ -](?:[a-z]+ )?hours? (?:(?:per|a|each|every|in a|of the) day|daily)\b"),
        factor("hour", "day"),
        "a day has {} hours",
    ),
    (
        "month",
        re.compile(r"^ (?:[a-z]+ )?months? (?:per|a|each|every|in a|of the|out of the) year\b"),
        factor("month", "year"),
        "a year has {} months",
    ),
    (
        "minute",
        re.compile(r"^ (?:[a-z]+ )?minutes? (?:(?:per|an|each|every|of the) hour)\b"),
        factor("minute", "hour"),
        "an hour has {} minutes",
    ),
    (
        "day",
        re.compile(r"^ days? (?:of|per|a|each|every|in a) month\b"),
        max(DAYS["month"]),
        "a month has at most {} days",
    ),
    (
        "week",
        re.compile(r"^ weeks? (?:of the|a|per|each|every|in a|out of the) year\b"),
        _WEEKS + 1,
        f"a year has {_WEEKS} weeks",
    ),
)
_MEAN = re.compile(r"\b(?:average\w*|mean|every|each|per|eats?|drinks?|ate|rate)\b", re.IGNORECASE)
_PART_OF = re.compile(
    r"^(?:%| percent)? of (?:them|those|these|(?:the|his|her|their|its|all)(?: the)? (?:[a-z]+ )?(?P<noun>[a-z]+))\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"^ of (?:(?P<them>them|those|these)\b|(?:the|those|these|his|her|their|its|all)(?: the)? (?P<noun>[a-z]+(?: [a-z]+)?))",
    re.IGNORECASE,
)
_TAKEN = re.compile(
    rf"\b(?:{_LISTS.either('taken')})\b(?: [\w'’]+){{0,3}} $",
    re.IGNORECASE,
)
_LEAVE = re.compile(
    r"^[^.;?!]{0,60}?\b(?:quit|leave|left (?:the|for|early|home|after)|die|died|broke|break|fell|were (?:eaten|broken|sold|lost|damaged|taken)|are (?:eaten|broken|sold|lost|removed))\b"
)
_FEWER = re.compile(
    r"^ (?:[a-z]+ )?(?:fewer|less|younger|shorter)(?: [a-z]+){0,4}? than (?:the |his |her |their )?(?P<other>[A-Za-z]+)"
)
_NEGATIVE = re.compile(r"(?:(?<=\s)|^)(?:-\$?|\$ ?-)\d+(?:\.\d+)?(?=[\s.,?])(?! ?(?:degrees|°))")
_NONE_EACH = re.compile(
    r"\b(?:groups?|rows?|bags?|boxes|teams?|packs?|piles?|sets?) of 0\b|\b0 (?:\w+ ){0,4}?(?:in|on|per|to|at|into) (?:each|every)\b|\beach (?:holds?|has|contains?) 0\b"
    r"|\b(?:every|into) 0 [a-z]+|\b0 [a-z]+ (?:at a time|an? (?:minute|hour|day|week|month|year))\b",
    re.IGNORECASE,
)
_SCALES = re.compile(r"\b(?:twice|thrice|double|triple|half|times|third|quarter)\b", re.IGNORECASE)
_SCALED = frozenset(["twice", "thrice", "double", "triple", "half", "three", "four", "that", "this"])
_PEOPLE = _LISTS.words("people")


def _beyond(problem: ProblemText) -> Iterator[tuple[ProblemNumber, str]]:
    """Yield numbers above the limit of their unit or whole, and fractions of people, each with the reason."""
    for number in problem.numbers:
        behind = problem.text[number.mention.end : number.mention.end + 60]
        yield from (
            (number, why.format(most))
            for _, pattern, most, why in _LIMITS
            if pattern.match(behind) and number.value > most
        )
        part = _PART_OF.match(behind)
        if number.percent and number.value > 1 and part and (part["noun"] is None or is_plural(part["noun"].lower())):
            yield number, "a part is no more than the whole"
        if (
            number.noun in _PEOPLE
            and number.value.denominator > 1
            and number.value > 1
            and not number.kind
            and not number.percent
            and not number.money
            and not number.rate
            and not _MEAN.search(problem.sentences[number.sentence].text)
        ):
            yield number, f"there is no part of a {number.noun}"


def _uneven(problem: ProblemText) -> Iterator[tuple[ProblemNumber, ProblemNumber]]:
    """Yield counts and the shares of them that are not whole numbers."""
    for share in problem.numbers:
        match = _PART.match(problem.text[share.mention.end :])
        if not (0 < share.value < 1) or share.money or match is None:
            continue
        named = {singular_noun(word) for word in (match["noun"] or "").lower().split()}
        before = [
            number
            for number in problem.numbers
            if number.counts
            and number.mention.start < share.mention.start
            and number.noun not in TIMES
            and number.noun not in MEASURES
            and not number.rate
            and (match["them"] is not None or number.noun in named)
        ]
        whole = before[-1] if before and len({number.noun for number in before}) == 1 else None
        if whole is not None and (Fraction(share.value) * whole.value).denominator > 1:
            yield whole, share


def _below_nothing(problem: ProblemText) -> Iterator[tuple[ProblemNumber, ProblemNumber]]:
    """Yield quantities and the differences below them that would lead below zero."""
    for less in problem.numbers:
        match = _FEWER.match(problem.text[less.mention.end :])
        if match is None or less.percent or (0 < less.value < 1) or (less.value == 1 and not less.counts):
            continue
        if match["other"].lower() in _SCALED | FUNCTION_WORDS:
            continue
        other = singular_noun(match["other"].lower())
        compared = [
            number
            for number in problem.numbers
            if number is not less
            and number.mention.start < problem.inquiry
            and not _FEWER.match(problem.text[number.mention.end :])
            and not {"more", "fewer", "less", "time"} & {*number.kind, number.noun}
            and number.value.denominator == 1
            and not number.percent
            and _alike(number, less)
            and _SCALES.search(_clause(problem, number)) is None
            and (number.noun == other or other in {singular_noun(word) for word in words_of(_clause(problem, number))})
        ]
        if compared and max(number.value for number in compared) < less.value:
            yield compared[0], less


def _alike(number: ProblemNumber, less: ProblemNumber) -> bool:
    """Tell whether both count the same things, as far as their nouns tell: `17 fewer peaches` and `8 peaches`."""
    named = {*less.kind, less.noun} - {"fewer", "less", "younger", "shorter", ""}
    return number.money == less.money and (not named or number.money or number.noun in named)


def _clause(problem: ProblemText, number: ProblemNumber) -> str:
    """Return the words around a number, up to the next comma or semicolon."""
    text, sentence = problem.text, problem.sentences[number.sentence]
    start = max(sentence.start, *(text.rfind(sign, sentence.start, number.mention.start) + 1 for sign in ",;"))
    ends = [place for sign in ",;" if (place := text.find(sign, number.mention.end, sentence.end)) >= 0]
    return text[start : min([sentence.end, *ends])]


def _overdrawn(problem: ProblemText) -> Iterator[tuple[ProblemNumber, ProblemNumber]]:
    """Yield quantities and the larger quantities that are taken from them."""
    plain = [
        number
        for number in problem.numbers
        if (number.counts or number.money) and not number.rate and number.mention.start < problem.inquiry
    ]
    for place, taken in enumerate(plain):
        before = problem.text[problem.sentences[taken.sentence].start : taken.mention.start].replace("$", "")
        behind = problem.text[taken.mention.end : problem.sentences[taken.sentence].end]
        if (_TAKEN.search(before) is None and _LEAVE.match(behind) is None) or {"more", "fewer", "less"} & set(
            taken.kind
        ):
            continue
        if taken.noun in TIMES or taken.noun in MEASURES:
            continue
        held = [number for number in plain[:place] if (number.noun == taken.noun or (number.money and taken.money))]
        if held and sum(number.value for number in held) < taken.value:
            yield held[0], taken


@problem_evidence("bounds")
def bounds(case: ProblemCase) -> Signal[ProblemFinding]:
    """Numbers beyond what their kind allows, and shares of countable things that are not whole."""
    problem = case.problem
    beyond, uneven, overdrawn = list(_beyond(problem)), list(_uneven(problem)), list(_overdrawn(problem))
    below = list(_below_nothing(problem))
    negative = _NEGATIVE.search(problem.text)
    reasons = [
        (problem.around(number), f'"{problem.around(number, 0)}" cannot be: {why}.') for number, why in beyond[:2]
    ]
    reasons += [
        (
            problem.around(share),
            f"{share.mention.text} of {format_value(whole.value)} {whole.noun} is {format_value(Fraction(share.value) * whole.value)}, which is not whole.",
        )
        for whole, share in uneven[:1]
    ]
    reasons += [
        (problem.around(taken), f'{taken.mention.text} cannot come out of "{problem.around(held, 0)}".')
        for held, taken in overdrawn[:1]
    ]
    reasons += [
        (problem.around(less), f'Nothing is {less.mention.text} less than "{problem.around(base, 0)}".')
        for base, less in below[:1]
    ]
    none_each = _NONE_EACH.search(problem.text)
    if none_each is not None:
        reasons.append((none_each.group(), f'"{none_each.group()}" divides by nothing.'))
    if negative is not None:
        reasons.append((negative.group(), f"{negative.group()} is a negative quantity."))
    findings = tuple(ProblemFinding("bounds", ProblemClass.CONTRADICTORY, words, says) for words, says in reasons)
    features = {
        "beyond": bool(beyond),
        "uneven": bool(uneven),
        "overdrawn": bool(overdrawn),
        "below_nothing": bool(below),
        "negative": negative is not None or none_each is not None,
    }
    return Signal(features, findings)
