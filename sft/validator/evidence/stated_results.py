"""Evidence from a stated total or result that does not follow from the other numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from harness.constraint_system import ProblemClass
from harness.text.number_forms import format_value
from harness.text.numbers import whole_as_int
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.domain import Exact
    from sft.validator.problem_text import ProblemNumber, ProblemText

MOST_OPERANDS = 7
NEAR = 0.2
_RESULT = re.compile(
    r"^(?:(?:so|thus|therefore|this means|that means|hence|now),? )?(?:the (?:total|number|cost|amount|sum|price|combined|whole|area|perimeter)\b|in total\b|in all\b|"
    r"altogether\b|together\b|(?:his|her|their|its|the|[A-Z][\w]*['’]s?)(?: [\w'’-]+){1,5} (?:is|was|are|were|equals?|comes? to|amounts? to|makes?)\b)",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"\b(?:in total|total|altogether|in all|combined|together|a sum of|overall)\b", re.IGNORECASE)


_MAKES = re.compile(
    r"^(?:so,? |thus,? |altogether,? )?(?:that|this|which|it all|they) (?:is|was|are|makes?|made|comes? to|came to|means?|gives?|adds? up to|amounts? to|equals?)\b",
    re.IGNORECASE,
)
_BOUNDS = (
    (re.compile(r"\b(?:more than|over|above|greater than|higher than) \$?$", re.IGNORECASE), False, True),
    (re.compile(r"\b(?:at least|no less than|no fewer than|not less than) \$?$", re.IGNORECASE), True, True),
    (re.compile(r"\b(?:less than|fewer than|under|below|lower than) \$?$", re.IGNORECASE), False, False),
    (re.compile(r"\b(?:at most|no more than|not more than|up to) \$?$", re.IGNORECASE), True, False),
)
"""Words before a limit, whether the limit itself is allowed, and whether the quantity lies above it."""


class StatedResult(NamedTuple):
    """A stated result: whether the other numbers lead to it, otherwise the nearest value that they lead to, with its term.

    `plainly` marks a sentence that is worded as a result.
    """

    number: ProblemNumber
    derived: bool
    near: tuple[Exact, str] | None
    plainly: bool


def results(values: list[Exact]) -> Iterator[tuple[Exact, str]]:
    """Yield the values that one or two operations on the numbers give, each with its term."""
    for first, second in permutations(range(len(values)), 2):
        left, right = values[first], values[second]
        steps: list[tuple[Exact, str]] = []
        if first < second:
            steps += [
                (left + right, f"{format_value(left)} + {format_value(right)}"),
                (left * right, f"{format_value(left)} * {format_value(right)}"),
            ]
        if left > right:
            steps.append((left - right, f"{format_value(left)} - {format_value(right)}"))
        if right and (quotient := Fraction(left) / right).denominator < 1_000:
            steps.append((whole_as_int(quotient), f"{format_value(left)} / {format_value(right)}"))
        yield from steps
        for third, more in enumerate(values):
            if third not in {first, second}:
                for value, words in steps:
                    yield value + more, f"{words} + {format_value(more)}"
                    yield value * more, f"({words}) * {format_value(more)}"
                    if value > more:
                        yield value - more, f"{words} - {format_value(more)}"


def stated_numbers(problem: ProblemText) -> Iterator[StatedResult]:
    """Yield the numbers that are alone in their sentence and may be the result of earlier numbers."""
    for place, sentence in enumerate(problem.sentences):
        here = [number for number in problem.numbers if number.sentence == place]
        if len(here) != 1 or sentence.start >= problem.inquiry or here[0].rate or here[0].percent:
            continue
        number = here[0]
        total, plainly = _TOTAL.search(sentence.text) is not None, _RESULT.search(sentence.text) is not None
        earlier = [number for number in problem.numbers if number.sentence < place][-MOST_OPERANDS:]
        if (
            len(earlier) < 2
            or number.value <= 0
            or {"more", "fewer", "less", "other", "time"} & {*number.kind, number.noun}
        ):
            continue
        values: list[Exact] = list(dict.fromkeys(value for number in earlier for value in number.mention.readings[:1]))
        derivable = dict(results(values))
        derived = number.value in derivable or number.value in values
        near = None
        if not derived:
            close = [(abs(Fraction(value - number.value)), value) for value in derivable if value > 0]
            if close and (best := min(close))[0] <= NEAR * number.value:
                near = best[1], derivable[best[1]]
        yield StatedResult(number, derived, near, plainly or total)


def _keeps(value: Exact, limit: Exact, *, allowed: bool, above: bool) -> bool:
    return value == limit if allowed and value == limit else (value > limit if above else value < limit)


def _made(problem: ProblemText) -> Iterator[tuple[ProblemNumber, bool]]:
    """Yield the numbers of sentences such as `That makes 12`, and whether what was said before them gives them.

    A limit, such as `That is more than 12`, is kept if the nearest result of the sentence before it is beyond it.
    """
    for place, sentence in enumerate(problem.sentences):
        here = [number for number in problem.numbers if number.sentence == place]
        if place == 0 or len(here) != 1 or _MAKES.match(sentence.text) is None or sentence.start >= problem.inquiry:
            continue
        number = here[0]
        last = [other for other in problem.numbers if other.sentence == place - 1]
        earlier = [other for other in problem.numbers if other.sentence < place][-MOST_OPERANDS:]
        values: list[Exact] = list(dict.fromkeys(other.value for other in earlier))
        if not last or len(values) < 2:
            continue
        before = problem.text[sentence.start : number.mention.start]
        limit = next((rest for pattern, *rest in _BOUNDS if pattern.search(before)), None)
        derived = dict.fromkeys([value for value, _ in results(values)] + values)
        if limit is None:
            yield number, number.value in derived
        else:
            recent = {other.value for other in last}
            close = [
                value
                for value, term in results(values)
                if value > 0
                and Fraction(1, 2) <= Fraction(value) / max(number.value, 1) <= 2
                and term.count(" ") == 2
                and any(format_value(part) in term.split() for part in recent)
            ]
            if close:
                kept = [_keeps(value, number.value, allowed=limit[0], above=limit[1]) for value in close]
                if all(kept) or not any(kept):
                    yield number, kept[0]


@problem_evidence("stated")
def stated(case: ProblemCase) -> Signal[ProblemFinding]:
    """Stated results that are near the result of the other numbers, but not equal to it."""
    problem = case.problem
    results_stated = list(stated_numbers(problem))
    off = [result for result in results_stated if result.near is not None and result.plainly]
    made = list(_made(problem))
    wrong = [number for number, right in made if not right]
    findings = [
        ProblemFinding(
            "stated",
            ProblemClass.CONTRADICTORY,
            problem.around(number),
            f'"{problem.around(number)}" does not follow from what is said before it.',
        )
        for number in wrong[:1]
    ]
    for result in off[:1]:
        if result.near is not None:
            says = f'"{problem.around(result.number)}" does not fit: {result.near[1]} = {format_value(result.near[0])}.'
            findings.append(ProblemFinding("stated", ProblemClass.CONTRADICTORY, problem.around(result.number), says))
    plainly = [result for result in results_stated if result.plainly]
    features = {
        "result_derived": any(result.derived for result in plainly),
        "result_off": any(result.near is not None for result in plainly),
        "result_alone": any(not result.derived and result.near is None for result in plainly),
        "made_wrong": bool(wrong),
        "made_right": bool(made) and not wrong,
        "any_derived": any(result.derived for result in results_stated if not result.plainly),
        "any_off": any(result.near is not None for result in results_stated if not result.plainly),
    }
    return Signal(features, tuple(findings))
