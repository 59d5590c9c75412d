"""Checks of the final answer: it follows from the lines, and it agrees with the gold answer and the label."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from harness.answers.gold_answer import GoldAnswer, match_gold, read_gold
from harness.corpora.labelled_solutions import LabelVerdict, StatedLabel
from harness.domain import Evidence, Exact
from harness.solution.labels import FINAL_ANSWER
from harness.text.numbers import LARGE_SCALES, mentions
from oracles.labels.audit.causes import AuditCause
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
    right = None if given is None or known is None else match_gold(given.value, known).reached
    return FinalAnswers(given, known, right)


def answer_findings(
    solution: AuditedSolution, stated: StatedLabel, answers: FinalAnswers, reference: AuditedSolution | None
) -> Iterator[Evidence]:
    """Yield the contradictions of the final answer to a label.

    That it does not follow is reported only where the correct solution's own answer does, so that an author's habit of
    leaving the last step to the reader is no finding.
    """
    answer = solution.answer or ""
    shown = answer[:LONGEST_SHOWN]
    if solution.answer is not None and solution.before < len(solution.statements):
        yield Evidence(FINAL_ANSWER, AuditCause.MISPLACED_ANSWER, f"before L{solution.before + 1}", "the last line")
    said_right = stated.said in {LabelVerdict.CORRECT, LabelVerdict.RIGHT_ANSWER}
    if answers.right is not None and answers.gold is not None and answers.right is not said_right:
        cause, due = AuditCause.CORRECT_BUT_ANOTHER_ANSWER, str(answers.gold.value)
        if answers.right:
            named = stated.said is LabelVerdict.WRONG_ANSWER or stated.line == FINAL_ANSWER
            cause = AuditCause.RIGHT_ANSWER_CALLED_WRONG if named else AuditCause.FLAWED_BUT_RIGHT_ANSWER
            due = f"another answer than the gold one, {due}, or what rounds to it"
        yield Evidence(FINAL_ANSWER, cause, shown, due)
    if stated.said is not LabelVerdict.FLAWED or stated.first_only or answers.given is None:
        return
    due = ""
    if stated.line == FINAL_ANSWER:
        due = "" if stands_in(solution, answers.given.value, everywhere=True) else "a value of the solution"
    elif not _follows(solution, answers.given.value, reference):
        due = "what the last line states"
    if due:
        yield Evidence(FINAL_ANSWER, AuditCause.ANSWER_DOES_NOT_FOLLOW, shown, due)


def _follows(solution: AuditedSolution, value: Exact, reference: AuditedSolution | None) -> bool:
    """Tell whether an answer may follow from the lines; the closer the correct solution, the more is asked."""
    # It may follow through equations that were not read.
    lines = solution.statements
    opened = not any(line.equations for line in lines) or any(line.unread for line in lines)
    own = None if reference is None or reference.answer is None else read_gold(reference.answer)
    if reference is None or own is None:
        return opened or stands_in(solution, value, everywhere=True)
    if _concludes(solution, reference, own.value):
        return any(same_number(value, number) for number in lines[-1].results if number is not None)
    return stands_in(solution, value, everywhere=not stands_in(reference, own.value, everywhere=False))


def _concludes(solution: AuditedSolution, reference: AuditedSolution, own: Exact) -> bool:
    """Tell whether the last line is that of a correct solution whose answer is its last result."""
    if len(solution.statements) != len(reference.statements) or not reference.statements:
        return False
    last, other = solution.statements[-1], reference.statements[-1]
    if last.skeleton != other.skeleton or len(last.results) != len(other.results) or last.unread:
        return False
    result = other.results[-1] if other.results else None
    return result is not None and own in {result, result * 100}


def stands_in(solution: AuditedSolution, value: Exact, *, everywhere: bool) -> bool:
    """Tell whether a value stands in the last line or is the result of the last equation; or anywhere, in any line."""
    lines = solution.statements if everywhere else solution.statements[-1:]
    with_equations = [line for line in solution.statements if line.equations]
    numbers = [number for line in lines for number in line.numbers]
    numbers += [result for line in (with_equations if everywhere else with_equations[-1:]) for result in line.results]
    if not lines or any(same_number(value, number) for number in numbers if number is not None):
        return True
    # Fractions and numbers in words are looked for last: it takes ten times as long.
    readings = [reading for line in lines for mention in mentions(line.text) for reading in mention.readings]
    return any(same_number(value, reading) for reading in readings)


@dataclass(frozen=True, slots=True)
class ContradictedAnswer:
    """The result that a solution ends in where its final answer is another number, and whether that is a number of the lines before."""

    result: Exact
    earlier: bool


def contradicted_answer(solution: AuditedSolution) -> ContradictedAnswer | None:
    """Return the contradiction between the final answer and the last line, `None` where there is none or one of both is not read.

    The last line is the last one that computes a number that no line before it has, so that neither a check nor a heading is one; what
    follows it may name the answer too. An answer that only converts the unit of a result does not contradict it.
    """
    answer = None if solution.answer is None else read_gold(solution.answer)
    lines = solution.statements
    results = [result for line in lines for result in line.results if result is not None]
    if answer is None or not results:
        return None
    before: set[Exact] = set()
    last = 0
    for place, line in enumerate(lines):
        last = place if any(result is not None and result not in before for result in line.results) else last
        before.update(number for number in (*line.numbers, *line.results) if number is not None)
    ends = [results[-1]]
    for line in lines[last:]:
        beside = line.text
        for equation in line.equations:
            beside = beside[: equation.start] + " " * (equation.end - equation.start) + beside[equation.end :]
        ends += [result for result in line.results if result is not None]
        ends += [reading for mention in mentions(beside) for reading in mention.readings]
    if any(same_number(answer.value, number) or answer.quantity.is_also(Fraction(number)) for number in ends):
        return None
    if any(abs(answer.value * scale) == abs(number) for number in ends for scale in LARGE_SCALES):
        return None  # `$4 million`, `#### 4` for a question that asks for millions
    # A number in words, `It takes three days.`, is compared where all else fails: it takes ten times as long.
    earlier = any(same_number(answer.value, number) for number in before)
    if not earlier and any(answer.value in mention.readings for line in lines for mention in mentions(line.text)):
        return None
    return ContradictedAnswer(results[-1], earlier)


def same_number(value: Exact, number: Exact) -> bool:
    """Tell whether two numbers are one, the sign, a percent sign and rounding apart.

    A line shows two decimals of what is computed with more: of a fraction, at most a tenth of its size in hundredths.
    """
    size, other = value if value >= 0 else -value, number if number >= 0 else -number
    if size == other or size == other * 100 or size * 100 == other:
        return True
    if isinstance(other, Fraction) and size in {math.floor(other), math.ceil(other)}:
        return True
    scaled = (size, size / 100) if isinstance(size, Fraction) else ()
    return any(abs(Fraction(part - other)) * 100 <= max(Fraction(1), part / 10) for part in scaled)
