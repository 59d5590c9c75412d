"""The verdict on the label of one record: right, wrong, or undecided because an equation could not be read."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from harness.corpora.labelled_solutions import (
    LabelledSolution,
    LabelVerdict,
    RejectedRecord,
    StatedLabel,
    split_solution,
)
from harness.domain import Evidence, Exact, Problem, Status, Verdict
from harness.equations.equation import Number
from harness.equations.false_equations import due_equation
from harness.solution.labels import FINAL_ANSWER, ErrorClass
from harness.text.lexicon import english
from harness.text.number_forms import format_value
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.explanation import (
    LONGEST_EXPLANATION,
    ExplainedError,
    StatedValue,
    explanation_objections,
    numbers_of,
)
from oracles.labels.audit.final_answer import FinalAnswers, answer_findings, answers_of
from oracles.labels.audit.paired_lines import comparison_findings
from oracles.labels.audit.solution_lines import AuditedSolution, LineStatement, read_statement, read_worked

CLAIM = "label"
METHOD = "equations"
LONGEST_SHOWN = 100
# Where thousands are counted, 15 and 15,000 are one amount.
_SCALE = english("explanations").pattern("scale", r"\b", r"\b")
_SAID_RIGHT = frozenset({LabelVerdict.CORRECT, LabelVerdict.RIGHT_ANSWER})


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """The data by which one record is judged: its lines, the correct solution and both answers where they are known.

    `labelled` is the place of the labelled line, `None` where the solution does not have it; `question` are the numbers of the question.
    """

    solution: AuditedSolution
    stated: StatedLabel
    reference: AuditedSolution | None
    edited: bool
    answers: FinalAnswers
    question: frozenset[Exact]
    labelled: int | None


def audit(record: LabelledSolution | RejectedRecord, problem: Problem | None, problem_id: str) -> Verdict:
    """Judge the label of a record; `problem` gives what the record itself lacks.

    REFUTED has each defect with its line. UNKNOWN means that an equation on which the label depends could not be read,
    or that nothing could be checked; a CONFIRMED verdict's findings are remarks. A rejected record is REFUTED.
    """
    verdict = partial(Verdict, CLAIM, problem_id, record.name, None)
    if isinstance(record, RejectedRecord):
        return verdict(Status.REFUTED, "input", unsupported=1, reason=record.reason)
    subject = _subject(record, problem)
    # Findings of two checks on one line count as one.
    once: dict[tuple[str, str], Evidence] = {}
    for finding in _findings(subject):
        once.setdefault((finding.line, finding.cause), finding)
    findings = tuple(once.values())
    lines = subject.solution.statements
    checked = sum(len(line.equations) for line in lines) + (subject.answers.right is not None)
    unread = _unread_places(subject)
    status, reason = Status.CONFIRMED, None
    if findings:
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        first = findings[0]
        reason = f"{first.line}: {first.cause}: {first.found!r}, expected {first.expected!r}{more}"
    if any(AuditCause(finding.cause).refutes for finding in findings):
        status = Status.REFUTED
    elif unread:
        line, label = lines[unread[0]], subject.solution.label(unread[0])
        status, reason = Status.UNKNOWN, f"unread: {label} ({line.unread}): {line.text[:LONGEST_SHOWN]!r}"
    elif not _is_claim_checked(subject, checked):
        reason = "nothing-checked: the equations that could be read say nothing of what the label says"
        status = Status.UNKNOWN
    return verdict(status, METHOD, checked=checked, unsupported=len(unread), reason=reason, findings=findings)


@lru_cache(maxsize=4_096)
def _audited_solution(text: str, question: str) -> AuditedSolution:
    return read_worked(split_solution(text), question)


def _subject(record: LabelledSolution, problem: Problem | None) -> AuditSubject:
    question = record.question or (problem.question if problem is not None else "")
    solution = read_worked(record.worked, question)
    reference = None
    gold = None if problem is None else problem.gold
    if record.reference is not None:
        reference = _audited_solution(record.reference, question)
        gold = gold or reference.answer
    elif problem is not None and problem.solution:
        reference = _audited_solution(f"{problem.solution}\n#### {problem.gold or ''}", question)
    answers, labelled = answers_of(solution, gold), solution.place(record.stated.line)
    return AuditSubject(solution, record.stated, reference, record.edited, answers, numbers_of(question), labelled)


def _findings(subject: AuditSubject) -> Iterator[Evidence]:
    solution, stated, labelled = subject.solution, subject.stated, subject.labelled
    if stated.line and labelled is None:
        count = len(solution.statements)
        yield Evidence(stated.line, AuditCause.NO_SUCH_LINE, stated.line, f"L1 to L{count}" if count else "a line")
    yield from _arithmetic_findings(subject)
    edited = subject.reference if subject.edited and stated.said is LabelVerdict.FLAWED else None
    yield from answer_findings(solution, stated, subject.answers, edited)
    if edited is not None:
        yield from comparison_findings(solution, edited, labelled, subject.question)
    for equation in read_statement(stated.correction).false:
        written = stated.correction[equation.start : equation.end]
        expected = "" if equation.left.value is None else format_value(equation.left.value)
        yield Evidence(stated.line, AuditCause.FALSE_CORRECTION, written, expected)
    if stated.explanation and stated.said is LabelVerdict.FLAWED:
        text = stated.explanation[:LONGEST_EXPLANATION]
        for objection in explanation_objections(text, _explained_error(subject)):
            found = text[objection.start : objection.end]
            line = stated.line or FINAL_ANSWER
            yield Evidence(line, AuditCause.EXPLANATION_DISAGREES, found, objection.expected)


def _explained_error(subject: AuditSubject) -> ExplainedError:
    """Return what the explanation of a label may say."""
    solution, reference, stated = subject.solution, subject.reference, subject.stated
    computational = stated.error_class is ErrorClass.COMPUTATIONAL
    known = None
    if reference is not None or computational:
        answers = [side.answer or "" for side in (solution, reference) if side is not None]
        lines = [line.text for side in (solution, reference) if side is not None for line in side.statements]
        known = subject.question.union(*map(numbers_of, {*lines, *answers}))
    place = subject.labelled
    line = solution.statements[place] if place is not None and place < len(solution.statements) else None
    told = line is not None and computational and bool(line.false) and not _SCALE.search(line.text)

    def is_right(number: StatedValue) -> bool:
        return line is None or not told or any(number.names(equation.left.value) for equation in line.equations)

    def is_wrong(number: StatedValue) -> bool:
        return line is None or not told or any(number.names(equation.right.value) for equation in line.equations)

    return ExplainedError({stated.line} - {"", FINAL_ANSWER}, known, is_right, is_wrong)


def _arithmetic_findings(subject: AuditSubject) -> Iterator[Evidence]:
    """Yield the objections of the equations to a label: the false ones must be on its line and on no other."""
    solution, stated, labelled = subject.solution, subject.stated, subject.labelled
    false = solution.false_lines
    earlier = false[:1] if labelled is not None and false and false[0] < labelled else []
    if stated.said is LabelVerdict.WRONG_ANSWER:
        return
    if stated.said in _SAID_RIGHT:
        yield from (_false_equation(solution, place, AuditCause.CORRECT_BUT_FALSE) for place in false)
    elif stated.error_class is ErrorClass.COMPUTATIONAL:
        yield from _computational_findings(subject, earlier)
    elif stated.error_class is None or stated.first_only:
        yield from (_false_equation(solution, place, AuditCause.ANOTHER_LINE, labelled) for place in earlier)
        if stated.error_class is not None and labelled in false:
            yield _false_equation(solution, labelled, AuditCause.FALSE_IN_CONCEPTUAL)
    else:
        yield from (_false_equation(solution, place, AuditCause.FALSE_IN_CONCEPTUAL) for place in false)


def _computational_findings(subject: AuditSubject, earlier: list[int]) -> Iterator[Evidence]:
    solution, stated, labelled = subject.solution, subject.stated, subject.labelled
    false = solution.false_lines
    if labelled is None:
        yield from (_false_equation(solution, place, AuditCause.FALSE_ELSEWHERE) for place in false[1:])
    elif stated.first_only and earlier:
        yield _false_equation(solution, earlier[0], AuditCause.ANOTHER_LINE, labelled)
    elif labelled in false:
        others = [] if stated.first_only else [place for place in false if place != labelled]
        yield from (_false_equation(solution, place, AuditCause.FALSE_ELSEWHERE) for place in others)
    elif false and not stated.first_only:
        yield _false_equation(solution, false[0], AuditCause.ANOTHER_LINE, labelled)
    elif labelled < len(solution.statements) and _all_hold(solution.statements[labelled]):
        line = solution.statements[labelled]
        held = ", ".join(line.written(equation) for equation in line.equations)
        yield Evidence(solution.label(labelled), AuditCause.NO_FALSE_EQUATION, held, "a false equation")


def _all_hold(line: LineStatement) -> bool:
    """Tell whether a line computes something, and all of it exactly.

    A rounded result, or one that is true only in an author's shorthand such as 50 for 50%, may be the error that the
    label means.
    """
    exact = all(equation.left.value == equation.right.value for equation in line.equations)
    return exact and not line.unread and any(not isinstance(equation.left, Number) for equation in line.equations)


def _false_equation(solution: AuditedSolution, place: int, cause: AuditCause, labelled: int | None = None) -> Evidence:
    line = solution.statements[place]
    equation = line.false[0]
    expected = due_equation(equation, line.text)
    if labelled is not None:
        expected += f"; labelled is {solution.label(labelled)}"
    return Evidence(solution.label(place), cause, line.written(equation), expected)


def _unread_places(subject: AuditSubject) -> list[int]:
    """Return the places of the lines that the label depends on and that could not be read.

    A line that stands in the correct solution word for word cannot be where the error was made.
    """
    if subject.stated.said is LabelVerdict.WRONG_ANSWER:
        return []
    known = () if subject.reference is None else {line.text for line in subject.reference.statements}
    last = len(subject.solution.statements)
    if subject.stated.first_only and subject.labelled is not None:
        last = subject.labelled + 1
    lines = enumerate(subject.solution.statements[:last])
    return [place for place, line in lines if line.unread and not line.false and line.text not in known]


def _is_claim_checked(subject: AuditSubject, checked: int) -> bool:
    """Tell whether the claim of the label was checked, and not only something beside it."""
    stated = subject.stated
    if stated.said in {LabelVerdict.WRONG_ANSWER, LabelVerdict.RIGHT_ANSWER}:
        return subject.answers.right is not None
    if stated.said is LabelVerdict.FLAWED and stated.error_class is ErrorClass.COMPUTATIONAL:
        return bool(subject.solution.false_lines)
    return checked > 0
