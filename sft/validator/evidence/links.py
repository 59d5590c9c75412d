"""Evidence from quantities without a link to the other quantities or to what is asked."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.nouns import FUNCTION_WORDS, singular_noun
from harness.text.units import TIMES
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence
from sft.validator.problem_text import words_of

if TYPE_CHECKING:
    from sft.validator.problem_text import ProblemText

_RATE_OF = re.compile(r"\b(?:each|every|per|an?) (?P<noun>[a-z-]+)", re.IGNORECASE)


def _content(text: str) -> set[str]:
    return {singular_noun(word) for word in words_of(text) if word not in FUNCTION_WORDS and len(word) > 2}


def components(problem: ProblemText) -> list[set[str]]:
    """Return the content words in groups; sentences that share a word are in one group."""
    groups: list[set[str]] = []
    for sentence in problem.sentences:
        words = _content(sentence.text)
        if words:
            touching = [group for group in groups if group & words]
            groups = [group for group in groups if not group & words]
            groups.append(words.union(*touching))
    return groups


def _unbased(problem: ProblemText) -> list[str]:
    """Return the things with a rate for each of them and without a count."""
    counted = {number.noun for number in problem.numbers if number.counts}
    whole = {singular_noun(word) for word in words_of(problem.asked)}
    missing = []
    for match in _RATE_OF.finditer(problem.told):
        noun, named = singular_noun(match["noun"].lower()), match.group().lower()
        rated = any(number.rate and abs(number.mention.end - match.start()) < 40 for number in problem.numbers)
        firm = named.startswith(("each", "every", "per"))
        if (
            firm
            and rated
            and noun not in counted
            and noun not in whole
            and noun not in FUNCTION_WORDS
            and noun not in TIMES
        ):
            missing.append(noun)
    return list(dict.fromkeys(missing))


@problem_evidence("linked")
def linked(case: ProblemCase) -> Signal[ProblemFinding]:
    """Numbers whose statements share no word with the rest of the problem."""
    problem = case.problem
    groups = components(problem)
    counts: dict[str, int] = defaultdict(int)
    for word in problem.words:
        counts[singular_noun(word)] += 1
    nouns = [number.noun for number in problem.numbers if number.noun]
    alone = [noun for noun in nouns if counts[noun] < 2]
    asked = _content(problem.asked)
    told = _content(problem.told)
    told_numbers = [number for number in problem.numbers if number.mention.start < problem.inquiry]
    unbased = _unbased(problem)
    findings = [
        ProblemFinding(
            "linked",
            ProblemClass.UNDERSPECIFIED,
            noun,
            f'The problem gives a rate for each "{noun}", but not how many there are.',
        )
        for noun in unbased[:1]
    ]
    features = {
        "components": float(min(4, len(groups))) / 2,
        "nouns_alone_share": len(alone) / len(nouns) if nouns else 0.0,
        "asked_overlap": len(asked & told) / len(asked) if asked else 0.0,
        "rates_unbased": min(2, len(unbased)),
        "told_numbers_0": not told_numbers and len(problem.numbers) < 2,
    }
    return Signal(features, tuple(findings))
