"""Checks of the final answer: it follows from the lines, and it agrees with the gold answer and the label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.corpora.gold_answer import match_gold, read_gold
from harness.corpora.labelled_solutions import LabelVerdict
from harness.domain import Evidence
from harness.solution.labels import FINAL_ANSWER
from harness.text.numbers import mentions
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.solution_lines import numerals_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.corpora.gold_answer import GoldAnswer
    from harness.corpora.labelled_solutions import StatedLabel
    from harness.domain import Exact
    from oracles.labels.audit.solution_lines import AuditedSolution

LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class FinalAnswers:
    """The final answer of the solution and the gold answer, as far as they can be read."""

    given: GoldAnswer | None
    gold: GoldAnswer | None
    right: bool | None
    """Whether the answer is the gold answer; `None` where that cannot be known."""


def answers_of(solution: AuditedSolution, gold: str | None) -> FinalAnswers:
    """Read both answers."""
    given = None if solution.answer is None else read_gold(solution.answer)
    known = None if gold is None else read_gold(gold)
    if given is None or known is None:
        return FinalAnswers(given, known, None)
    right = match_gold(given.value, known).reached or match_gold(known.value, given).reached
    return FinalAnswers(given, known, right)


def answer_findings(
    solution: AuditedSolution, stated: StatedLabel, answers: FinalAnswers, reference: AuditedSolution | None
) -> Iterator[Evidence]:
    """Yield the contradictions of the final answer to a label.

    That it does not follow is reported only where the correct solution's own answer does, so that an author's habit of
    leaving the last step to the reader is no finding.
    """
    if solution.answer is not None and solution.before < len(solution.statements) and solution.statements:
        yield Evidence(FINAL_ANSWER, AuditCause.MISPLACED_ANSWER, f"before L{solution.before + 1}", "the last line")
    yield from _against_gold(solution, stated, answers)
    if stated.said is not LabelVerdict.FLAWED or stated.first_only or answers.given is None:
        return
    if solution.answer and "/" in solution.answer and any(solution.answer in line.text for line in solution.statements):
        return
    if stated.line == FINAL_ANSWER:
        if not _stands(solution, answers.given.value, everywhere=True):
            yield Evidence(
                FINAL_ANSWER, AuditCause.ANSWER_DOES_NOT_FOLLOW, _shown(solution.answer), "a value of the solution"
            )
        return
    if not _follows(solution, answers.given.value, reference):
        yield Evidence(
            FINAL_ANSWER, AuditCause.ANSWER_DOES_NOT_FOLLOW, _shown(solution.answer), "what the last line states"
        )


def _follows(solution: AuditedSolution, value: Exact, reference: AuditedSolution | None) -> bool:
    """Tell whether an answer may follow from the lines; the closer the correct solution, the more is asked."""
    own = None if reference is None or reference.answer is None else read_gold(reference.answer)
    if reference is None or own is None:
        return _open(solution) or _stands(solution, value, everywhere=True)
    if _concludes(solution, reference, own.value):
        last = solution.statements[-1]
        numbers = numerals_of(last.text[last.equations[-1].right.start :])
        return any(same_number(value, number) for number in (*last.results, *numbers) if number is not None)
    everywhere = not _stands(reference, own.value, everywhere=False)
    return (everywhere and _open(solution)) or _stands(solution, value, everywhere=everywhere)


def _open(solution: AuditedSolution) -> bool:
    """Tell whether a solution may arrive at its answer through equations that were not read."""
    return not any(line.equations for line in solution.statements) or any(line.unread for line in solution.statements)


def _concludes(solution: AuditedSolution, reference: AuditedSolution, own: Exact) -> bool:
    """Tell whether the last line is that of a correct solution whose answer is its last result."""
    if len(solution.statements) != len(reference.statements) or not reference.statements:
        return False
    last, other = solution.statements[-1], reference.statements[-1]
    if last.skeleton != other.skeleton or len(last.results) != len(other.results) or last.unread:
        return False
    result = other.results[-1] if other.results else None
    return result is not None and own in {result, result * 100}


def _against_gold(solution: AuditedSolution, stated: StatedLabel, answers: FinalAnswers) -> Iterator[Evidence]:
    if answers.right is None or answers.gold is None:
        return
    given = _shown(solution.answer)
    if stated.said in {LabelVerdict.CORRECT, LabelVerdict.RIGHT_ANSWER} and not answers.right:
        yield Evidence(FINAL_ANSWER, AuditCause.CORRECT_BUT_ANOTHER_ANSWER, given, str(answers.gold.value))
    elif stated.said not in {LabelVerdict.CORRECT, LabelVerdict.RIGHT_ANSWER} and answers.right:
        named = stated.said is LabelVerdict.WRONG_ANSWER or stated.line == FINAL_ANSWER
        cause = AuditCause.RIGHT_ANSWER_CALLED_WRONG if named else AuditCause.FLAWED_BUT_RIGHT_ANSWER
        yield Evidence(
            FINAL_ANSWER, cause, given, f"another answer than the gold one, {answers.gold.value}, or what rounds to it"
        )


def _stands(solution: AuditedSolution, value: Exact, *, everywhere: bool) -> bool:
    """Tell whether an answer stands in the last line or is the result of the last equation; or anywhere, in any line."""
    lines = solution.statements if everywhere else solution.statements[-1:]
    if not lines or any(same_number(value, number) for line in lines for number in line.numbers if number is not None):
        return True
    with_equations = [line for line in solution.statements if line.equations]
    results = with_equations if everywhere else with_equations[-1:]
    if any(same_number(value, result) for line in results for result in line.results if result is not None):
        return True
    # Fractions and numbers in words are looked for last: it takes ten times as long.
    readings = [reading for line in lines for mention in mentions(line.text) for reading in mention.readings]
    return any(same_number(value, reading) for reading in readings)


def same_number(value: Exact, number: Exact) -> bool:
    """Tell whether two numbers are one, the sign, a percent sign and rounding apart."""
    if value.denominator == number.denominator == 1:
        return _same_whole_number(value, number)
    size = value if value >= 0 else -value
    other = number if number >= 0 else -number
    if size == other or size == other * 100 or size * 100 == other:
        return True
    if isinstance(other, Fraction) and size in {math.floor(other), math.ceil(other)}:
        return True
    # A line shows two decimals of what is computed with more.
    return isinstance(size, Fraction) and any(
        abs(Fraction(scaled_size - other)) * 100 <= max(Fraction(1), Fraction(scaled_size, 10))
        for scaled_size in (size, size / 100)
    )


def _same_whole_number(value: Exact, number: Exact) -> bool:
    """Tell whether two whole numbers are the same amount, without fractions, whose arithmetic takes many times as long."""
    size, other = abs(value.numerator), abs(number.numerator)
    if other in {size, size * 100} or other * 100 == size:
        return True
    return isinstance(value, Fraction) and (
        abs(size - other) * 1_000 <= max(10, size) or abs(size - other * 100) * 1_000 <= max(1_000, size)
    )


def _shown(text: str | None) -> str:
    return (text or "")[:LONGEST_SHOWN]
