"""Evidence from comparisons with a quantity that the problem never gives, such as `twice as many as Ann`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, singular_noun
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
_NO_ENTITIES = _LISTS.words("no_entities")


class QuantityComparison(NamedTuple):
    """The word that a quantity is compared to, and the span of the comparison in the text."""

    word: str
    start: int
    end: int


def comparisons(problem: ProblemText) -> list[QuantityComparison]:
    """Return the comparisons of a text; the compared thing is a name, otherwise the first content word in the singular."""
    compared_to = []
    for match in _COMPARISON.finditer(problem.told):
        words = words_of(match["other"])
        raw = re.findall(r"[\w'’-]+", match["other"])
        names = [word for word in raw if word[:1].isupper()]
        content = [other for other in words if other not in FUNCTION_WORDS and not other.isdigit()]
        word = (
            names[0].removesuffix("'s").removesuffix("’s").lower()
            if names
            else (singular_noun(content[0]) if content else "")
        )
        if word and word not in _NO_ENTITIES:
            compared_to.append(QuantityComparison(word, match.start(), match.end()))
    return compared_to


def _valued(problem: ProblemText, word: str, spans: list[QuantityComparison]) -> bool:
    """Tell whether a sentence outside of the comparisons gives a number for a word."""
    cut = [(comparison.start, comparison.end) for comparison in spans if comparison.word == word]
    for place, sentence in enumerate(problem.sentences):
        kept = [
            match
            for match in re.finditer(rf"\b{re.escape(word)}", sentence.text, re.IGNORECASE)
            if not any(start <= sentence.start + match.start() < end for start, end in cut)
        ]
        if kept and any(
            number.sentence == place and number.mention.start < problem.inquiry for number in problem.numbers
        ):
            return True
    return False


def _total(problem: ProblemText) -> bool:
    return re.search(r"\b(?:total|together|altogether|combined|in all|sum)\b", problem.told, re.IGNORECASE) is not None


@problem_evidence("compared")
def compared(case: ProblemCase) -> Signal[ProblemFinding]:
    """Comparisons with somebody of whom the problem gives no quantity."""
    problem = case.problem
    compared_to = comparisons(problem)
    open_ends = [comparison for comparison in compared_to if not _valued(problem, comparison.word, compared_to)]
    settled = _total(problem)
    findings = [
        ProblemFinding(
            "compared",
            ProblemClass.UNDERSPECIFIED,
            problem.text[comparison.start : comparison.end],
            f'"{comparison.word}" is compared to, but the problem gives no number for it.',
        )
        for comparison in open_ends[:2]
    ]
    features = {
        "compared": min(3, len(compared_to)),
        "compared_open": min(2, len(open_ends)),
        "compared_open_no_total": bool(open_ends) and not settled,
    }
    return Signal(features, tuple(findings))
