"""The audit of the records of a data set: each by itself in a pool of processes, programs by solvers, and records against each other."""

import multiprocessing
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import islice
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from harness.answers.answer_place import concluded_answer
from harness.answers.equality import equal_answers
from harness.answers.gold_answer import match_gold, read_gold
from harness.corpora.field_roles import FieldNames, Role, TakenFields, read_fields
from harness.corpora.labelled_solutions import (
    LONGEST_TEXT,
    MOST_LINES,
    LabelledSolution,
    LabelVerdict,
    RejectedRecord,
    RejectionReason,
    WorkedSolution,
    read_record,
    split_solution,
)
from harness.corpora.problems import read_records
from harness.corpora.record_layouts import no_record
from harness.domain import Exact, Response, Status
from harness.equations.equation import StatedEquation, Truth
from harness.equations.false_equations import due_equation
from harness.equations.line_reader import read_line
from harness.errors import HarnessError
from harness.program.lifter import read_candidate
from harness.solution.labels import FINAL_ANSWER
from harness.text.markup import clean
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from harness.text.quantity import unwrapped
from oracles.constraints.solver_processes import SolverLimits
from oracles.constraints.validation import ValidationCase, validate_all
from oracles.dataset_audit.findings import AuditFinding, DatasetAudit, FindingKind, UnreadRecord
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.final_answer import contradicted_answer
from oracles.labels.audit.label_verdict import audit as audit_label
from oracles.labels.audit.solution_lines import AuditedSolution, LineStatement, read_statement, read_worked

PROGRAMS = ("smtlib", "program")
"""The fields of SMT-LIB 2 programs."""
NO_LABEL = (RejectionReason.NO_LABEL, RejectionReason.NO_SOLUTION)
CHUNK = 64
"""Records that are handed to a process at once."""
FEW = 200
"""With fewer records no processes are started."""
LONGEST_SHOWN = 300
NOTHING = "no solution, label, equation or SMT-LIB 2 program in a field that the audit knows"
LONGEST_NAME = 120
_BEFORE_MARK = re.compile(r" ([.,;:?!])")


@dataclass(frozen=True, slots=True)
class ProgramPart:
    """An SMT-LIB 2 program, and the term that the record's answer stands for, empty if it names none."""

    field: str
    text: str
    entailed: str = ""


@dataclass(frozen=True, slots=True)
class RecordParts:
    """A record as the audit reads it.

    `solutions` are worked solutions by the name of their field; `labelled` is the solution that has a label; `equation` and `answer`
    are texts, `None` where the record has none, `option` is the text of the option that the answer names; `asked` is what the record asks, its case, spacing and end marks apart, and `stated_answer` the answer it
    states to that, or that there is none; `problem` says why something cannot be read; `taken` names the fields of the parts.
    """

    record_id: str
    row: int
    solutions: Mapping[str, WorkedSolution] = field(default_factory=dict)
    labelled: LabelledSolution | None = None
    equation: str | None = None
    answer: str | None = None
    option: str = ""
    program: ProgramPart | None = None
    asked: str = ""
    stated_answer: str = ""
    problem: str = ""
    taken: Mapping[Role, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Tell whether nothing of the record can be checked by itself."""
        return not (self.solutions or self.labelled or self.program or (self.equation and self.answer))


def read_parts(record: Any, row: int, name: str, named: FieldNames) -> RecordParts:
    """Return the parts of a record that can be audited, by the fields that the user names; `name` is its id if it states none."""
    name = name[:LONGEST_NAME]
    if not isinstance(record, Mapping):
        return RecordParts(name, row, problem=no_record(record))
    fields = read_fields(record, named)
    read = read_record(dict(record), name, named=fields)
    labelled = None if isinstance(read, RejectedRecord) else read
    solutions = {field: worked for field, text in fields.solutions.items() if (worked := _worked_solution(text))}
    if labelled is not None and not labelled.edited:
        solutions.pop(fields.taken.get(Role.SOLUTION, ""), None)  # it is the labelled one
    if labelled is not None and labelled.stated.said in {LabelVerdict.CORRECT, LabelVerdict.RIGHT_ANSWER}:
        solutions[labelled.layout.marks[0]] = labelled.worked
    gold = record.get("gold")
    unread = [*fields.unread.values()]
    if isinstance(read, RejectedRecord) and not read.reason.startswith(NO_LABEL):
        unread.append(read.reason)
    return RecordParts(
        _record_name(fields.identifier, record) or name,
        row,
        solutions,
        labelled,
        fields.equation or None,
        fields.answer[:LONGEST_TEXT] or None,
        fields.option,
        _program_part(record),
        _BEFORE_MARK.sub(r"\1", " ".join(f"{fields.question} {fields.options}".casefold().split())).rstrip(".?! ")
        if fields.question
        else "",
        "no answer" if record.get("answerable") is False else gold if isinstance(gold, str) else fields.answer,
        unread[0] if unread else "",
        fields.taken if labelled is None else labelled.taken,
    )


def _worked_solution(text: str) -> WorkedSolution | None:
    """Return a worked solution, last lines that only state its answer as its answer; `None` where the text is an answer alone, or is too long."""
    worked = split_solution(clean(text[:LONGEST_TEXT]))
    found = concluded_answer(worked.lines) if worked.answer is None else None
    if found is not None:
        worked = replace(worked, lines=worked.lines[: found.before], answer=found.text, before=found.before)
    return worked if 0 < len(worked.lines) <= MOST_LINES else None


def _record_name(identifier: str, record: Mapping[str, Any]) -> str:
    model = record.get("model")
    written = f"{identifier} ({model})" if identifier and isinstance(model, str) and model else identifier
    return " ".join(written.split())[:LONGEST_NAME]


def _program_part(record: Mapping[str, Any]) -> ProgramPart | None:
    for name in PROGRAMS:
        text = record.get(name)
        if isinstance(text, str) and "(assert" in text:
            query, gold = record.get("query"), record.get("gold")
            term = query.get(gold) if isinstance(query, Mapping) and isinstance(gold, str) else None
            return ProgramPart(name, text, term if isinstance(term, str) else "")
    return None


@dataclass(frozen=True, slots=True)
class AuditedRecord:
    """A record with its findings by itself, the equations that were checked, and the lines that could not be judged."""

    parts: RecordParts
    findings: list[AuditFinding]
    equations: int
    unread_lines: int


def audit_dataset(
    source: Path | Iterable[Mapping[str, Any]],
    *,
    processes: int = 1,
    named: FieldNames | None = None,
    watch: Callable[[int], None] | None = None,
) -> DatasetAudit:
    """Audit a file of records as `read_records` reads it, or records; `watch` is called for each record with the number of its findings.

    `named` are the fields that the user names. A file that cannot be read, or no record, raises a `HarnessError`.
    """
    name, rows = "record", enumerate(source, start=1) if not isinstance(source, Path) else read_records(source)
    if isinstance(source, Path):
        stem = source.name.removesuffix(".gz").removesuffix(".jsonl")
        name = f"{source.resolve().parent.name}-{stem}"
    audited, taken, fields = [], TakenFields(), named or FieldNames()
    given = ((record, row, f"{name}-{place}", fields) for place, (row, record) in enumerate(rows))
    for record in _audited_records(given, processes):
        audited.append(record)
        taken.add(record.parts.taken)
        if watch is not None:
            watch(len(record.findings))
    if not audited:
        shown = source if isinstance(source, Path) else name
        raise HarnessError(f"{shown}: expected records with solutions, labels, equations or programs, found no record")
    every = [record.parts for record in audited]
    findings = [finding for record in audited for finding in record.findings]
    findings += [*_program_findings(every, processes), *_contradictions(every)]
    return DatasetAudit(
        records=len(every),
        solutions=sum(len(parts.solutions) + (parts.labelled is not None) for parts in every),
        equations=sum(record.equations for record in audited),
        unread_lines=sum(record.unread_lines for record in audited),
        labels=sum(parts.labelled is not None for parts in every),
        programs=sum(parts.program is not None for parts in every),
        questions=sum(bool(parts.asked and parts.stated_answer) for parts in every),
        findings=tuple(sorted(findings, key=lambda finding: finding.row)),
        unread=tuple(
            UnreadRecord(parts.record_id, parts.row, parts.problem or NOTHING)
            for parts in every
            if parts.problem or (parts.empty and not parts.stated_answer)
        ),
        fields=str(taken),
    )


def _audited_records(records: Iterable[tuple[Any, int, str, FieldNames]], processes: int) -> Iterator[AuditedRecord]:
    """Yield the results of each record by itself, in order."""
    source = iter(records)
    first = list(islice(source, FEW))
    yield from map(_audited_record, first)
    if len(first) < FEW or processes == 1:
        yield from map(_audited_record, source)
        return
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        yield from pool.imap(_audited_record, source, CHUNK)


def _audited_record(given: tuple[Any, int, str, FieldNames]) -> AuditedRecord:
    parts = read_parts(*given)
    findings: list[AuditFinding] = []
    equations = unread = 0
    for name, worked in parts.solutions.items():
        solution = read_worked(worked, parts.asked)
        findings += _answer_findings(parts, name, solution)
        for place, statement in enumerate(solution.statements, start=1):
            equations += len(statement.equations)
            unread += bool(statement.unread)
            where = f"L{place}" if len(parts.solutions) == 1 else f"{name} L{place}"
            findings += _false_equations(parts, where, statement)
    if parts.labelled is not None:
        equations += sum(len(line.equations) for line in read_worked(parts.labelled.worked, parts.asked).statements)
    findings += _label_findings(parts)
    if parts.equation is not None and parts.answer:
        statement, value = read_statement(parts.equation), _equation_value(parts.equation, parts.answer)
        findings += _false_equations(parts, "equation", statement)
        findings += [] if value is None else _equation_findings(parts, parts.equation, parts.answer, value)
        unread += value is None or read_gold(parts.answer) is None
    return AuditedRecord(parts, findings, equations, unread)


def _finding(parts: RecordParts, place: str, kind: FindingKind, found: str, expected: str = "") -> AuditFinding:
    return AuditFinding(parts.record_id, parts.row, place, kind, found[:LONGEST_SHOWN], expected)


def _false_equations(parts: RecordParts, where: str, statement: LineStatement) -> Iterator[AuditFinding]:
    # An annotation repeats what the prose beside it states.
    once = {(equation.left.value, equation.right.value): equation for equation in reversed(statement.false)}
    for equation in reversed(once.values()):
        due = due_equation(equation, statement.text)
        yield _finding(parts, where, FindingKind.FALSE_EQUATION, statement.written(equation), due)


def _label_findings(parts: RecordParts) -> Iterator[AuditFinding]:
    """Yield the objections to the label; a false equation in a solution called correct is already found."""
    if parts.labelled is None:
        if parts.problem.startswith(RejectionReason.LABEL_COUNT):
            yield _finding(parts, "labels", FindingKind.WRONG_LABEL, parts.problem, "a label for each step")
        return
    verdict = audit_label(parts.labelled, None, parts.record_id)
    for finding in verdict.findings if verdict.status is Status.REFUTED else ():
        cause = AuditCause(finding.cause)
        if cause.refutes and cause is not AuditCause.CORRECT_BUT_FALSE:
            said = f"{cause}: {finding.found}"
            yield _finding(parts, finding.line, FindingKind.WRONG_LABEL, said, finding.expected)


def _answer_findings(parts: RecordParts, field: str, solution: AuditedSolution) -> Iterator[AuditFinding]:
    """Yield the final answer of a solution that is not the record's, or that contradicts its last line.

    The latter only where all lines were read and work on a number of the question, so that the answer is meant to follow from them.
    """
    if solution.answer is None:
        return
    shown = f"answer {solution.answer}"
    stated = list(filter(None, (parts.answer, parts.option)))
    if stated and all(equal_answers(solution.answer, answer) is False for answer in stated):
        yield _finding(parts, field, FindingKind.SOLUTION_ANSWER, shown, f"answer {parts.answer}"[:LONGEST_SHOWN])
        return
    found = contradicted_answer(solution)
    given_numbers = {reading for mention in mentions(parts.asked) for reading in mention.readings}
    works = any(not given_numbers.isdisjoint(line.numbers) for line in solution.statements)
    if found is not None and works and not any(line.unread for line in solution.statements):
        yield _finding(parts, FINAL_ANSWER, FindingKind.UNSTATED_ANSWER, shown, f"such as {format_value(found.result)}")


def _equation_value(equation: str, answer: str) -> Exact | None:
    """Return the value of the right side of an equation, or of an expression; `None` where it is not read whole."""
    outcome = read_candidate(Response("", "equation", equation, "equation")).outcome
    if outcome is not None and outcome.value is not None:
        return outcome.value
    stated = _whole_equation(f"{equation.rpartition('=')[2].strip()} = {answer}")
    return None if stated is None else stated.left.value


def _whole_equation(text: str) -> StatedEquation | None:
    """Return the equation that a text is from its first character to its last."""
    stated = read_line(text).equations
    return stated[0] if [(each.start, each.end) for each in stated] == [(0, len(text))] else None


def _may_be_equal(left: str, right: str) -> bool:
    """Tell whether two numbers, as they are written, are equal in a sense that an author can mean: rounded, of floats, with points for thousands."""
    stated = _whole_equation(f"1 * {left} = {right}")
    return stated is not None and stated.truth is not Truth.FALSE


def _equation_findings(parts: RecordParts, equation: str, answer: str, value: Exact) -> Iterator[AuditFinding]:
    gold = read_gold(answer)
    shown = str(value) if isinstance(value, int) else f"{Decimal(value.numerator) / value.denominator:.12f}"
    if gold is None or match_gold(value, gold).reached is not False or _may_be_equal(shown, answer):
        return
    due = f"{' '.join(equation.split())} = {format_value(value)}"
    yield _finding(parts, "equation", FindingKind.ANOTHER_ANSWER, f"answer {answer}", due[:LONGEST_SHOWN])


def _program_findings(every: list[RecordParts], processes: int) -> Iterator[AuditFinding]:
    """Yield the objections of z3 and cvc5 to programs: an error, a contradiction, or an answer that does not follow."""
    programs = [(parts, parts.program) for parts in every if parts.program is not None]
    if not programs:
        return
    cases = [ValidationCase(parts.record_id, program.text) for parts, program in programs]
    asked = [ValidationCase(parts.record_id, _negated(program)) for parts, program in programs if program.entailed]
    results = list(validate_all([*cases, *asked], limits=SolverLimits(), workers=processes))
    negated = iter(results[len(cases) :])
    for (parts, program), result in zip(programs, results, strict=False):
        entailed = next(negated) if program.entailed else None
        if not result.valid:
            kind, found = FindingKind.BROKEN_PROGRAM, result.error
        elif result.satisfiable is False:
            kind, found = FindingKind.CONTRADICTORY_PROGRAM, "; ".join(result.core) or "unsat"
        elif entailed is not None and entailed.valid and entailed.satisfiable is True:
            kind, found = FindingKind.NOT_ENTAILED, f"{program.entailed} does not follow"
        else:
            continue
        yield _finding(parts, program.field, kind, " ".join(found.split()))


def _negated(program: ProgramPart) -> str:
    """Return a program that asserts that its term does not hold, and checks that."""
    ends = {"(check-sat)", "(get-model)", "(exit)"}
    lines = [line for line in program.text.split("\n") if line.strip() not in ends]
    return "\n".join([*lines, f"(assert (not {program.entailed}))", "(check-sat)", ""])


def _contradictions(every: list[RecordParts]) -> Iterator[AuditFinding]:
    """Yield the records that ask in the same words as an earlier record and state another answer."""
    first: dict[str, RecordParts] = {}
    for parts in every:
        if parts.asked and parts.stated_answer:
            earlier = first.setdefault(parts.asked, parts)
            if _differ(earlier.stated_answer, parts.stated_answer):
                due = f"answer {earlier.stated_answer}, as {earlier.record_id} has to the same question"
                said = f"answer {parts.stated_answer}"
                yield _finding(parts, "question", FindingKind.TWO_ANSWERS, said, due[:LONGEST_SHOWN])


def _differ(left: str, right: str) -> bool:
    """Tell whether two stated answers differ: as numbers, rounded ones and points for thousands included, or as words where one holds no number.

    The letter of an option and a number may be one answer.
    """
    texts = [unwrapped(answer).casefold() for answer in (left, right)]
    words = [text for text in texts if not mentions(text)]
    if words:
        letter = len(words) == 1 and words[0].strip("().") in {*ascii_lowercase}
        return not letter and texts[0].split() != texts[1].split()
    # A whole number is no rounded quotient: the texts of `7/2` and `3` have no decimals.
    rounded = any(mark in text for text in texts for mark in ".,")
    also = rounded and (_may_be_equal(*texts) or _may_be_equal(*texts[::-1]))
    return equal_answers(left, right) is False and not also
