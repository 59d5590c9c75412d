"""Evidence from impossible quantities: more than the whole, a part of a countable thing, less than nothing."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from harness.text.nouns import is_plural, singular_noun
from harness.text.number_forms import format_value
from harness.text.units import MEASURES, TIMES, factor
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.problem_text import problem_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.validator.problem_text import ProblemNumber, ProblemText

_WORDS = english("problems")
_LIMITS = [
    (re.compile(limit["pattern"]), factor(limit["unit"], limit["whole"]), "a {whole} has {most} {unit}s", limit)
    for limit in _WORDS.records("limits")
]
_PART_OF_ALL, _PART_OF = _WORDS.pattern("part_of_all"), _WORDS.pattern("part_of")
_BELOW_ZERO, _OF_NOTHING = _WORDS.pattern("below_zero"), _WORDS.pattern("of_nothing")


def _beyond(problem: ProblemText) -> Iterator[tuple[ProblemNumber, str]]:
    """Yield numbers above the limit of their unit or whole, each with the reason."""
    for number in problem.numbers:
        behind = problem.text[number.mention.end : number.mention.end + 60]
        for pattern, most, why, limit in _LIMITS:
            if pattern.match(behind) and number.value > most:
                yield number, why.format(most=most, **limit)
        part = _PART_OF_ALL.match(behind)
        if number.percent and number.value > 1 and part and (part["noun"] is None or is_plural(part["noun"].lower())):
            yield number, "a part is not more than the whole"


def _uneven(problem: ProblemText) -> Iterator[tuple[ProblemNumber, ProblemNumber]]:
    """Yield counts and the shares of them that are not whole numbers."""
    for share in problem.numbers:
        match = _PART_OF.match(problem.text[share.mention.end :])
        if not (0 < share.value < 1) or share.money or match is None:
            continue
        named = {singular_noun(word) for word in (match["noun"] or "").lower().split()}
        before = [
            number
            for number in problem.numbers
            if number.counts
            and number.mention.start < share.mention.start
            and number.noun not in TIMES | MEASURES
            and not number.rate
            and (match["them"] is not None or number.noun in named)
        ]
        whole = before[-1] if before and len({number.noun for number in before}) == 1 else None
        if whole is not None and (Fraction(share.value) * whole.value).denominator > 1:
            yield whole, share


@problem_evidence("bounds")
def bounds(problem: ProblemText) -> Signal[ProblemFinding]:
    """Numbers beyond what their kind allows, and shares of countable things that are not whole."""
    beyond, uneven = list(_beyond(problem)), list(_uneven(problem))
    negative, nothing = _BELOW_ZERO.search(problem.text), _OF_NOTHING.search(problem.text)
    reasons = [
        (problem.around(number), f'"{problem.around(number, 0)}" cannot be: {why}.') for number, why in beyond[:2]
    ]
    for whole, share in uneven[:1]:
        part = format_value(Fraction(share.value) * whole.value)
        says = f"{share.mention.text} of {format_value(whole.value)} {whole.noun} is {part}, which is not whole."
        reasons.append((problem.around(share), says))
    if nothing is not None:
        reasons.append((nothing.group(), f'"{nothing.group()}" divides by nothing.'))
    if negative is not None:
        reasons.append((negative.group(), f"{negative.group()} is a negative quantity."))
    findings = tuple(ProblemFinding("bounds", ProblemClass.CONTRADICTORY, words, says) for words, says in reasons)
    features = {"beyond": bool(beyond), "uneven": bool(uneven), "negative": bool(negative or nothing)}
    return Signal(features, findings)
