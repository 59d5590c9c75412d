"""The verdict on the label of one record: right, wrong, or undecided because an equation could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.corpora.labelled_solutions import LabelledSolution, LabelVerdict, split_solution
from harness.domain import Evidence, Status, Verdict
from harness.solution.labels import ErrorClass
from harness.text.numbers import mentions
from oracles.labels.audit.arithmetic import arithmetic_findings
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.explanation import ExplainedLabel, explanation_findings
from oracles.labels.audit.final_answer import FinalAnswers, answer_findings, answers_of
from oracles.labels.audit.solution_comparison import comparison_findings
from oracles.labels.audit.solution_lines import AuditedSolution, read_statement, read_worked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.corpora.labelled_solutions import RejectedRecord, StatedLabel
    from harness.domain import Exact, Problem

CLAIM = "label"
METHOD = "equations"
LONGEST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """The data by which one record is judged: its lines, the correct solution and both answers where they are known."""

    solution: AuditedSolution
    reference: AuditedSolution | None
    edited: bool
    answers: FinalAnswers
    question: frozenset[Exact]
    labelled: int | None


def audit(record: LabelledSolution, problem: Problem | None, problem_id: str) -> Verdict:
    """Judge the label of a record; `problem` gives what the record itself lacks.

    REFUTED has each defect with its line. UNKNOWN means that an equation on which the label depends could not be read,
    or that nothing could be checked; a CONFIRMED verdict's findings are remarks.
    """
    subject = _subject(record, problem)
    findings = _findings(record.stated, subject)
    checked = sum(len(statement.equations) for statement in subject.solution.statements) + (
        subject.answers.right is not None
    )
    unread = _unread(record.stated, subject)
    status, reason = Status.CONFIRMED, None
    if any(AuditCause(finding.cause).refutes for finding in findings):
        status, reason = Status.REFUTED, _told(findings)
    elif unread:
        place = unread[0]
        reason = f"unread: {subject.solution.label(place)} ({subject.solution.statements[place].unread}): {subject.solution.statements[place].text[:LONGEST_SHOWN]!r}"
        status = Status.UNKNOWN
    elif not _decided(record.stated, subject, checked):
        status, reason = (
            Status.UNKNOWN,
            "nothing-checked: the equations that could be read say nothing of what the label says",
        )
    elif findings:
        reason = _told(findings)
    return Verdict(
        CLAIM,
        problem_id,
        record.name,
        None,
        status,
        METHOD,
        checked=checked,
        unsupported=len(unread),
        reason=reason,
        findings=tuple(findings),
    )


def refuse(rejected: RejectedRecord, problem_id: str) -> Verdict:
    """Return the verdict on a record that cannot be audited."""
    return Verdict(
        CLAIM, problem_id, rejected.name, None, Status.REFUTED, "input", unsupported=1, reason=rejected.reason
    )


@lru_cache(maxsize=4_096)
def _read(text: str) -> AuditedSolution:
    return read_worked(split_solution(text))


@lru_cache(maxsize=4_096)
def _numbers(question: str) -> frozenset[Exact]:
    """Return the numbers of a question, in digits, in words and as mixed fractions."""
    readings = {reading for mention in mentions(question) for reading in mention.readings}
    return frozenset({number for number in read_statement(question).numbers if number is not None} | readings)


def _subject(record: LabelledSolution, problem: Problem | None) -> AuditSubject:
    solution = read_worked(record.worked)
    reference = None
    gold = None if problem is None else problem.gold
    if record.reference is not None:
        reference = _read(record.reference)
        gold = gold or reference.answer
    elif problem is not None and problem.solution:
        reference = _read(f"{problem.solution}\n#### {problem.gold or ''}")
    question = record.question or (problem.question if problem is not None else "")
    return AuditSubject(
        solution=solution,
        reference=reference,
        edited=record.edited,
        answers=answers_of(solution, gold),
        question=_numbers(question),
        labelled=solution.place(record.stated.line),
    )


def _findings(stated: StatedLabel, subject: AuditSubject) -> list[Evidence]:
    solution, labelled = subject.solution, subject.labelled
    found: list[Evidence] = []
    if stated.line and labelled is None:
        count = len(solution.statements)
        found.append(
            Evidence(stated.line, AuditCause.NO_SUCH_LINE, stated.line, f"L1 to L{count}" if count else "a line")
        )
    found += arithmetic_findings(solution, stated, labelled)
    edited = subject.reference if subject.edited and stated.said is LabelVerdict.FLAWED else None
    found += answer_findings(solution, stated, subject.answers, edited)
    if edited is not None:
        found += comparison_findings(solution, edited, labelled, subject.question)
    found += explanation_findings(ExplainedLabel(solution, stated, labelled, subject.reference, subject.question))
    # Findings of two checks on one line count as one.
    return list({(finding.line, finding.cause): finding for finding in reversed(found)}.values())[::-1]


def _unread(stated: StatedLabel, subject: AuditSubject) -> list[int]:
    """Return the places of the lines that the label depends on and that could not be read.

    A line that stands in the correct solution word for word cannot be where the error was made.
    """
    if stated.said is LabelVerdict.WRONG_ANSWER:
        return []
    known = (
        frozenset(statement.text for statement in subject.reference.statements)
        if subject.reference is not None
        else frozenset()
    )
    last = len(subject.solution.statements)
    if stated.first_only and subject.labelled is not None:
        last = subject.labelled + 1
    lines = enumerate(subject.solution.statements[:last])
    return [
        place for place, statement in lines if statement.unread and not statement.false and statement.text not in known
    ]


def _decided(stated: StatedLabel, subject: AuditSubject, checked: int) -> bool:
    """Tell whether the claim of the label was checked, and not only something beside it."""
    if stated.said in {LabelVerdict.WRONG_ANSWER, LabelVerdict.RIGHT_ANSWER}:
        return subject.answers.right is not None
    if stated.said is LabelVerdict.FLAWED and stated.error_class is ErrorClass.COMPUTATIONAL:
        return bool(subject.solution.false_lines)
    return checked > 0


def _told(findings: Iterable[Evidence]) -> str:
    """Return one line on the first finding, with both strings, and the number of findings."""
    first, *rest = findings
    more = f" (and {len(rest)} more)" if rest else ""
    return f"{first.line}: {first.cause}: {first.found!r}, expected {first.expected!r}{more}"
