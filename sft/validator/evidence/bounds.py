"""Evidence from impossible quantities: more than the whole, less than nothing."""

import re
from collections.abc import Iterator

from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from harness.text.nouns import is_plural
from harness.text.units import factor
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.problem_text import ProblemNumber, ProblemText, problem_evidence

_WORDS = english("problems")
_LIMITS = [
    (re.compile(limit["pattern"]), factor(limit["unit"], limit["whole"]), "a {whole} has {most} {unit}s", limit)
    for limit in _WORDS.records("limits")
]
_PART_OF_ALL = _WORDS.pattern("part_of_all")
_BELOW_ZERO, _OF_NOTHING = _WORDS.pattern("below_zero"), _WORDS.pattern("of_nothing")


def _numbers_above_limits(problem: ProblemText) -> Iterator[tuple[ProblemNumber, str]]:
    """Yield numbers above the limit of their unit or whole, each with the reason."""
    for number in problem.numbers:
        behind = problem.text[number.mention.end : number.mention.end + 60]
        for pattern, most, why, limit in _LIMITS:
            if pattern.match(behind) and number.value > most:
                yield number, why.format(most=most, **limit)
        part = _PART_OF_ALL.match(behind)
        if number.percent and number.value > 1 and part and (part["noun"] is None or is_plural(part["noun"].lower())):
            yield number, "a part is not more than the whole"


@problem_evidence("bounds")
def bounds(problem: ProblemText) -> Signal[ProblemFinding]:
    """Numbers beyond what their kind allows."""
    beyond = list(_numbers_above_limits(problem))
    negative, nothing = _BELOW_ZERO.search(problem.text), _OF_NOTHING.search(problem.text)
    reasons = [
        (problem.around(number), f'"{problem.around(number, 0)}" cannot be: {why}.') for number, why in beyond[:2]
    ]
    if nothing is not None:
        reasons.append((nothing.group(), f'"{nothing.group()}" divides by nothing.'))
    if negative is not None:
        reasons.append((negative.group(), f"{negative.group()} is a negative quantity."))
    findings = tuple(ProblemFinding("bounds", ProblemClass.CONTRADICTORY, words, says) for words, says in reasons)
    features = {"beyond": bool(beyond), "negative": bool(negative or nothing)}
    return Signal(features, findings)
