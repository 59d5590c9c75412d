"""Evidence from a statement that the problem makes twice, with different numbers."""

from collections.abc import Iterator
from typing import NamedTuple

from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from harness.text.nouns import FUNCTION_WORDS, singular_noun
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.problem_text import ProblemNumber, ProblemText, bare_words, problem_evidence

_WORDS = english("problems")
_SAID_AGAIN, _COMPARING = _WORDS.pattern("said_again"), _WORDS.pattern("comparing")
_CONTRASTS, _NEUTRAL = _WORDS.words("contrasts"), _WORDS.words("neutral") | FUNCTION_WORDS
FEWEST_WORDS = 2
MOST_SENTENCES = 40


class _Statement(NamedTuple):
    text: str
    words: frozenset[str]
    numbers: tuple[ProblemNumber, ...]


def _statements(problem: ProblemText) -> Iterator[_Statement]:
    """Yield the sentences before the question that hold numbers, with their words without the numbers."""
    before = [number for number in problem.numbers if number.mention.start < problem.inquiry]
    for place, sentence in enumerate(problem.sentences[:MOST_SENTENCES]):
        numbers = tuple(number for number in before if number.sentence == place)
        if numbers:
            end = min(sentence.end, problem.inquiry)
            starts, ends = [number.mention.start for number in numbers], [number.mention.end for number in numbers]
            pieces = zip([sentence.start, *ends], [*starts, end], strict=True)
            spoken = _SAID_AGAIN.sub("", " ".join(problem.text[left:right] for left, right in pieces), count=1)
            words = frozenset(singular_noun(word) for word in bare_words(spoken))
            yield _Statement(problem.text[sentence.start : end], words, numbers)


def _clashes(problem: ProblemText) -> Iterator[tuple[_Statement, tuple[ProblemNumber, ProblemNumber]]]:
    """Yield the sentences with content words of an earlier one alone, and the numbers in which they differ from it."""
    statements = list(_statements(problem))
    for number, again in enumerate(statements):
        weighty = again.words - _NEUTRAL
        for first in statements[:number] if len(weighty) >= FEWEST_WORDS else ():
            alike = first.words & _CONTRASTS == again.words & _CONTRASTS
            said = again.words - _WORDS.words("neutral") <= first.words
            if alike and said and len(again.numbers) <= len(first.numbers):
                clash = _clash(problem.text, first, again)
                if clash is not None:
                    yield again, clash


def _clash(text: str, first: _Statement, again: _Statement) -> tuple[ProblemNumber, ProblemNumber] | None:
    """Return two different numbers of one thing: at the same position, otherwise of the same noun."""
    if len(first.numbers) == len(again.numbers):
        pairs = list(zip(first.numbers, again.numbers, strict=True))
        if sum(not _agree(left, right) for left, right in pairs) > 1:
            return None  # a second sentence of the same form about something else
    else:
        pairs = [
            (left, right)
            for right in again.numbers
            for left in first.numbers
            if left.noun == right.noun and not any(_agree(other, right) for other in first.numbers)
        ]
    return next((pair for pair in pairs if not _agree(*pair) and _comparable(*pair, text)), None)


def _comparable(first: ProblemNumber, second: ProblemNumber, text: str) -> bool:
    """Tell whether two numbers may be two values of one quantity: both of money or of one noun, both compared or neither."""
    same = first.noun == second.noun or not (first.noun and second.noun) or first.money
    left, right = ((number.money, number.percent, _relation(number, text)) for number in (first, second))
    return same and left == right


def _relation(number: ProblemNumber, text: str) -> str:
    """Return the word that compares a number with another quantity, such as `more` or `times`, empty without one."""
    match = _COMPARING.match(text[number.mention.end : number.mention.end + 40])
    return match["word"].lower() if match is not None else ""


def _agree(first: ProblemNumber, second: ProblemNumber) -> bool:
    return bool(set(first.mention.readings) & set(second.mention.readings))


@problem_evidence("restated")
def restated(problem: ProblemText) -> Signal[ProblemFinding]:
    """Statements that the problem makes twice, with different numbers."""
    findings = []
    for again, clash in _clashes(problem):
        left, right = map(problem.around, clash)
        says = f'"{left}" is said again as "{right}".'
        findings.append(ProblemFinding("restated", ProblemClass.CONTRADICTORY, again.text, says))
    return Signal({"restated_clash": bool(findings)}, tuple(findings[:2]))
