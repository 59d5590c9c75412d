"""Evidence from comparisons with a quantity that the problem never gives, such as `twice as many as Ann`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from harness.text.noun_forms import singular_noun
from harness.text.noun_phrases import FUNCTION_WORDS
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence
from sft.validator.problem_text import words_of

if TYPE_CHECKING:
    from sft.validator.problem_text import ProblemText

_LISTS = word_lists(__file__)

_COMPARISON = re.compile(
    rf"\b(?:as (?:many|much|old|long|tall|far|fast|big|heavy|expensive|large)(?: [\w'’-]+){{0,4}}? as|(?:{_LISTS.either('comparison')})(?: [\w'’-]+){{0,4}}? than|times the [a-z]+ of|half of|twice the [a-z]+ of) (?P<other>(?:the |his |her |their |its |he |she |they )?[\w'’-]+(?: [\w'’-]+){{0,3}})"
)
_STATES = re.compile(rf"\b(?:{_LISTS.either('states')})\b")


class QuantityComparison(NamedTuple):
    """What a quantity is compared to: its word, and where."""

    word: str
    start: int
    end: int


def comparisons(problem: ProblemText) -> list[QuantityComparison]:
    """Return what is compared to whom, by its first name, else its last word of weight."""
    found = []
    for match in _COMPARISON.finditer(problem.told):
        words = words_of(match["other"])
        raw = re.findall(r"[\w'’-]+", match["other"])
        names = [one for one in raw if one[:1].isupper()]
        content = [one for one in words if one not in FUNCTION_WORDS and not one.isdigit()]
        word = (
            names[0].removesuffix("'s").removesuffix("’s").lower()
            if names
            else (singular_noun(content[0]) if content else "")
        )
        if word:
            found.append(QuantityComparison(word, match.start(), match.end()))
    return found


def _valued(problem: ProblemText, word: str, spans: list[QuantityComparison]) -> bool:
    """Tell whether a number is said about somebody elsewhere than where others are compared to them."""
    cut = [(one.start, one.end) for one in spans if one.word == word]
    for place, sentence in enumerate(problem.sentences):
        kept = [
            match
            for match in re.finditer(rf"\b{re.escape(word)}", sentence.text, re.IGNORECASE)
            if not any(start <= sentence.start + match.start() < end for start, end in cut)
        ]
        if kept and any(one.sentence == place and one.mention.start < problem.inquiry for one in problem.numbers):
            return True
    return False


def _total(problem: ProblemText) -> bool:
    return re.search(r"\b(?:total|together|altogether|combined|in all|sum)\b", problem.told, re.IGNORECASE) is not None


@problem_evidence("compared")
def compared(case: ProblemCase) -> Signal[ProblemFinding]:
    """Is somebody compared to another of whom nothing is told?"""
    problem = case.problem
    found = comparisons(problem)
    open_ends = [one for one in found if not _valued(problem, one.word, found)]
    settled = _total(problem)
    findings = [
        ProblemFinding(
            "compared",
            ProblemClass.UNDERSPECIFIED,
            problem.text[one.start : one.end],
            f'"{one.word}" is what another is compared to, and no number is told of it.',
        )
        for one in open_ends[:2]
    ]
    features = {
        "compared": float(min(3, len(found))),
        "compared_open": float(min(2, len(open_ends))),
        "compared_open_no_total": float(bool(open_ends) and not settled),
    }
    return Signal(features, tuple(findings))
