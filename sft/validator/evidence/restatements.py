"""Evidence from a statement that the problem makes twice, with different numbers."""

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
    from collections.abc import Iterator

    from sft.validator.problem_text import ProblemNumber, ProblemText

_LISTS = word_lists(__file__)

_LEAD = re.compile(
    rf"^\s*(?:and |so )?(?:{_LISTS.either('lead')})[,:]?\s+",
    re.IGNORECASE,
)
_CONTRASTS = _LISTS.words("contrasts")
_NEUTRAL = _LISTS.words("neutral")
_COMPARING = re.compile(
    rf"^(?: [\w'’-]+){{0,2}}? (?P<word>{_LISTS.either('comparing')})\b",
    re.IGNORECASE,
)
# A number that names something: `Grade 4`, `Week 3`, `in 2005`.
_LABEL = re.compile(
    r"\b(?:[Gg]rades?|[Ww]eeks?|[Dd]ays?|[Ll]evels?|[Rr]ooms?|[Yy]ears?|[Pp]hases?|[Rr]ounds?|[Rr]ows?|[Cc]hapters?|[Ii]n|[Nn]umber|#) ?$"
)
FEWEST_WORDS = 2
MOST_SENTENCES = 40


class _Clause(NamedTuple):
    text: str
    words: frozenset[str]
    numbers: tuple[ProblemNumber, ...]


def _clauses(problem: ProblemText) -> Iterator[_Clause]:
    for place, sentence in enumerate(problem.sentences[:MOST_SENTENCES]):
        numbers = tuple(
            number
            for number in problem.numbers
            if number.sentence == place
            and number.mention.start < problem.inquiry
            and not _LABEL.search(problem.text[max(0, number.mention.start - 16) : number.mention.start])
        )
        if numbers and sentence.start < problem.inquiry:
            text = sentence.text[: max(0, problem.inquiry - sentence.start)]
            spoken = _without(problem, sentence.start, text, numbers)
            yield _Clause(text, frozenset(singular_noun(word) for word in words_of(spoken)), numbers)


def _without(problem: ProblemText, start: int, text: str, numbers: tuple[ProblemNumber, ...]) -> str:
    """Return a sentence without its numbers."""
    parts, place = [], start
    for number in numbers:
        parts.append(problem.text[place : number.mention.start])
        place = number.mention.end
    parts.append(problem.text[place : start + len(text)])
    return _LEAD.sub("", " ".join(parts), count=1)


class _Pair(NamedTuple):
    first: _Clause
    again: _Clause
    differ: tuple[ProblemNumber, ProblemNumber] | None


def _pairs(problem: ProblemText) -> Iterator[_Pair]:
    """Yield pairs of sentences, the later with content words of the earlier alone, and their differing numbers."""
    clauses = list(_clauses(problem))
    for number, again in enumerate(clauses):
        weighty = again.words - _NEUTRAL
        if len(weighty - FUNCTION_WORDS) < FEWEST_WORDS:
            continue
        for first in clauses[:number]:
            if first.words & _CONTRASTS != again.words & _CONTRASTS:
                continue
            if weighty - {"number", "amount"} <= first.words and len(again.numbers) <= len(first.numbers):
                yield _Pair(first, again, _difference(problem.text, first, again))


def _difference(text: str, first: _Clause, again: _Clause) -> tuple[ProblemNumber, ProblemNumber] | None:
    """Return two different numbers of one thing: at the same position, otherwise of the same noun."""
    if len(first.numbers) == len(again.numbers):
        pairs = list(zip(first.numbers, again.numbers, strict=True))
        if sum(not _agree(earlier, two) for earlier, two in pairs) > 1:
            return None  # a second sentence of the same form about something else
    else:
        pairs = [
            (earlier, two)
            for two in again.numbers
            for earlier in first.numbers
            if earlier.noun == two.noun and earlier.money == two.money
        ]
        same = {two for first, two in pairs if _agree(first, two)}
        pairs = [(first, two) for first, two in pairs if two not in same]
    return next(
        ((first, two) for first, two in pairs if not _agree(first, two) and _comparable(first, two, text)), None
    )


def _comparable(first: ProblemNumber, second: ProblemNumber, text: str) -> bool:
    """Tell whether two numbers may be two values of one quantity: both of money or of one noun, both compared or neither."""
    same = first.noun == second.noun or not (first.noun and second.noun)
    return (
        first.money == second.money
        and first.percent == second.percent
        and (same or first.money)
        and _relation(first, text) == _relation(second, text)
    )


def _relation(number: ProblemNumber, text: str) -> str:
    """Return the word that compares a number with another quantity, such as `more` or `times`, empty without one."""
    match = _COMPARING.match(text[number.mention.end : number.mention.end + 40])
    return match["word"].lower() if match is not None else ""


def _agree(first: ProblemNumber, second: ProblemNumber) -> bool:
    return bool(set(first.mention.readings) & set(second.mention.readings))


@problem_evidence("restated")
def restated(case: ProblemCase) -> Signal[ProblemFinding]:
    """Statements that the problem makes twice, with different numbers."""
    problem = case.problem
    pairs = list(_pairs(problem))
    clashes = [first for first in pairs if first.differ is not None]
    findings = []
    for pair in clashes[:2]:
        if pair.differ is not None:
            left, right = pair.differ
            says = f'"{problem.around(left)}" is said again as "{problem.around(right)}".'
            findings.append(ProblemFinding("restated", ProblemClass.CONTRADICTORY, pair.again.text, says))
    features = {
        "restated_clash": bool(clashes),
        "restated_same": bool(pairs) and not clashes,
    }
    return Signal(features, tuple(findings))
