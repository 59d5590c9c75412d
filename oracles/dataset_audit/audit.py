"""The audit of the records of a data set: each by itself in a pool of processes, programs by solvers, and records against each other."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.corpora.gold_answer import match_gold, read_gold
from harness.corpora.problems import read_records
from harness.domain import Response, Status
from harness.errors import HarnessError
from harness.program.candidate import read_candidate
from harness.text.number_forms import format_value
from oracles.constraints.validation import ValidationCase, validate_all
from oracles.constraints.worker_pool import SolverLimits
from oracles.dataset_audit.findings import AuditFinding, DatasetAudit, FindingKind, UnreadRecord
from oracles.dataset_audit.record_parts import LONGEST_NAME, RecordParts, read_parts, stated_answer
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.label_verdict import audit as audit_label
from oracles.labels.audit.solution_lines import read_worked

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.equations.equation import StatedEquation
    from oracles.dataset_audit.record_parts import ProgramPart

CHUNK = 64
"""Records that are handed to a process at once."""
FEW = 200
"""With fewer records no processes are started."""
LONGEST_SHOWN = 300


@dataclass(frozen=True, slots=True)
class AuditedRecord:
    """The results of one record by itself."""

    parts: RecordParts
    asks: str
    answers: str
    equations: int
    unread_lines: int
    label: bool
    findings: tuple[AuditFinding, ...]


def audit_dataset(
    source: Path | Iterable[Mapping[str, Any]],
    *,
    processes: int = 1,
    watch: Callable[[int], None] | None = None,
) -> DatasetAudit:
    """Audit a file of JSON lines, plain or `.gz`, or records; `watch` is called for each record with the number of its findings.

    Raises:
        HarnessError: the file cannot be read, or there is no record.
    """
    if isinstance(source, Path):
        stem = source.name.removesuffix(".gz").removesuffix(".jsonl")
        name, rows = f"{source.resolve().parent.name}-{stem}", read_records(source)
    else:
        name, rows = "record", enumerate(source, start=1)
    named = ((record, row, f"{name}-{place}") for place, (row, record) in enumerate(rows))
    audited = []
    for record in _audited(named, processes):
        audited.append(record)
        if watch is not None:
            watch(len(record.findings))
    if not audited:
        raise HarnessError(
            f"{source if isinstance(source, Path) else name}: expected records with solutions, labels, equations or programs, found no record"
        )
    programs = [(record.parts, record.parts.program) for record in audited if record.parts.program is not None]
    findings = [finding for record in audited for finding in record.findings]
    findings += _program_findings(programs, processes)
    findings += _contradictions(audited)
    return DatasetAudit(
        records=len(audited),
        solutions=sum(len(record.parts.solutions) + (record.parts.labelled is not None) for record in audited),
        equations=sum(record.equations for record in audited),
        unread_lines=sum(record.unread_lines for record in audited),
        labels=sum(record.label for record in audited),
        programs=len(programs),
        questions=sum(bool(record.asks and record.answers) for record in audited),
        findings=tuple(sorted(findings, key=lambda finding: finding.row)),
        unread=tuple(
            UnreadRecord(record.parts.record_id, record.parts.row, record.parts.problem or NOTHING)
            for record in audited
            if record.parts.problem or (record.parts.empty and not record.answers)
        ),
    )


NOTHING = "no solution, label, equation or SMT-LIB 2 program in a field that the audit knows"
_Given = tuple[Any, int, str]


def _audited(records: Iterable[_Given], processes: int) -> Iterator[AuditedRecord]:
    """Yield the results of each record by itself, in order."""
    source = iter(records)
    first = list(islice(source, FEW))
    yield from map(_audit, first)
    if len(first) < FEW:
        return
    if processes == 1:
        yield from map(_audit, source)
        return
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        yield from pool.imap(_audit, source, CHUNK)


def _audit(given: _Given) -> AuditedRecord:
    record, row, name = given
    parts = read_parts(record, row, name[:LONGEST_NAME])
    findings: list[AuditFinding] = []
    equations = unread = 0
    for field, worked in parts.solutions.items():
        for place, statement in enumerate(read_worked(worked).statements, start=1):
            equations += len(statement.equations)
            unread += bool(statement.unread)
            where = f"L{place}" if len(parts.solutions) == 1 else f"{field} L{place}"
            for equation in _distinct(statement.false):
                left = statement.text[equation.left.start : equation.left.end]
                value = equation.left.value
                due = "" if value is None else f"{left} = {format_value(value)}"
                findings.append(
                    AuditFinding(
                        parts.record_id,
                        row,
                        where,
                        FindingKind.FALSE_EQUATION,
                        statement.written(equation)[:LONGEST_SHOWN],
                        due[:LONGEST_SHOWN],
                    )
                )
    if parts.labelled is not None:
        equations += sum(len(line.equations) for line in read_worked(parts.labelled.worked).statements)
        findings += _label_findings(parts)
    if parts.equation is not None and parts.answer:
        findings += _equation_findings(parts, parts.equation, parts.answer)
    answers = stated_answer(record) if isinstance(record, Mapping) else ""
    return AuditedRecord(parts, parts.asked, answers, equations, unread, parts.labelled is not None, tuple(findings))


def _distinct(equations: Iterable[StatedEquation]) -> Iterator[StatedEquation]:
    """Yield the equations of a line without repetitions: an annotation repeats what the prose beside it states."""
    seen = set()
    for equation in equations:
        values = equation.left.value, equation.right.value
        if values not in seen:
            seen.add(values)
            yield equation


def _label_findings(parts: RecordParts) -> Iterator[AuditFinding]:
    """Yield the objections to the label; a false equation in a solution called correct is already found."""
    labelled = parts.labelled
    if labelled is None:
        return
    verdict = audit_label(labelled, None, parts.record_id)
    if verdict.status is not Status.REFUTED:
        return
    for finding in verdict.findings:
        cause = AuditCause(finding.cause)
        if cause is AuditCause.CORRECT_BUT_FALSE or not cause.refutes:
            continue
        said = f"{cause}: {finding.found}"[:LONGEST_SHOWN]
        yield AuditFinding(parts.record_id, parts.row, finding.line, FindingKind.WRONG_LABEL, said, finding.expected)


def _equation_findings(parts: RecordParts, equation: str, answer: str) -> Iterator[AuditFinding]:
    gold = read_gold(answer)
    outcome = read_candidate(Response(parts.record_id, "equation", equation, "equation")).outcome
    if gold is None or outcome is None or outcome.value is None or match_gold(outcome.value, gold).reached:
        return
    due = f"{' '.join(equation.split())} = {format_value(outcome.value)}"
    yield AuditFinding(
        parts.record_id,
        parts.row,
        "equation",
        FindingKind.ANOTHER_ANSWER,
        f"answer {answer}"[:LONGEST_SHOWN],
        due[:LONGEST_SHOWN],
    )


def _program_findings(programs: list[tuple[RecordParts, ProgramPart]], processes: int) -> Iterator[AuditFinding]:
    """Yield the objections of z3 and cvc5 to programs: an error, a contradiction, or an answer that does not follow."""
    if not programs:
        return
    cases = [ValidationCase(parts.record_id, program.text) for parts, program in programs]
    asked = [
        ValidationCase(parts.record_id, f"{_open(program.text)}\n(assert (not {program.entailed}))\n(check-sat)\n")
        for parts, program in programs
        if program.entailed
    ]
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
        yield AuditFinding(parts.record_id, parts.row, program.field, kind, " ".join(found.split())[:LONGEST_SHOWN])


def _open(program: str) -> str:
    """Return a program without the commands that end it."""
    return "\n".join(
        line for line in program.split("\n") if line.strip() not in {"(check-sat)", "(get-model)", "(exit)"}
    )


def _contradictions(audited: list[AuditedRecord]) -> Iterator[AuditFinding]:
    """Yield the records that ask in the same words as an earlier record and state another answer."""
    first: dict[str, AuditedRecord] = {}
    for record in audited:
        if not record.asks or not record.answers:
            continue
        earlier = first.setdefault(record.asks, record)
        if not _same_answer(earlier.answers, record.answers):
            yield AuditFinding(
                record.parts.record_id,
                record.parts.row,
                "question",
                FindingKind.TWO_ANSWERS,
                f"answer {record.answers}"[:LONGEST_SHOWN],
                f"answer {earlier.answers}, as {earlier.parts.record_id} has to the same question"[:LONGEST_SHOWN],
            )


def _same_answer(left: str, right: str) -> bool:
    if left == right:
        return True
    first, second = read_gold(left), read_gold(right)
    return first is not None and second is not None and first.value == second.value
