"""The filter that separates rows with a usable program from broken rows, with the reason and place of each fault."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.smtlib.script import read_script
from oracles.constraints.program import ConstraintProgram, UnreadableProgramError, first_fault
from oracles.constraints.validation import ValidationCase, validate_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.smtlib.faults import ScriptFault
    from oracles.constraints.rows import ConstraintRow
    from oracles.constraints.validation import Validation
    from oracles.constraints.worker_pool import SolverLimits

SHORTEST, LONGEST = 30, 20_000
"""Characters of a program: fewer declare and assert nothing, more are no program of a problem."""
_KEPT_TEXT = 2_000


class FilterReason(enum.StrEnum):
    """The reasons of broken rows, beside the `ScriptFaultKind` of the reader and the `ValidationErrorKind` of the solvers."""

    UNREADABLE = "unreadable-row"
    NO_PROBLEM = "no-problem"
    NO_PROGRAM = "no-program"
    TOO_SHORT = "too-short"
    TOO_LONG = "too-long"
    NO_DECLARATION = "no-declaration"


@dataclass(frozen=True, slots=True)
class FilteredRow:
    """A row with the kind of its fault, `None` without one, the place in the program if known, and a message."""

    row: ConstraintRow
    reason: str | None = None
    line: int | None = None
    column: int | None = None
    message: str = ""

    def record(self) -> dict[str, Any]:
        """Return the row with its fault."""
        record = {**self.row.record, "id": self.row.id}
        if self.reason is None:
            return record
        return {**record, "reason": self.reason, "line": self.line, "column": self.column, "message": self.message}


def structural_check(row: ConstraintRow) -> FilteredRow:
    """Judge a row without a solver: its program has a usable length, a declaration, an assertion, and no fault."""
    program = row.text("program")
    length = len((program or "").strip())
    for reason, found, message in (
        (FilterReason.UNREADABLE, bool(row.unreadable), row.unreadable),
        (FilterReason.NO_PROGRAM, program is None, "expected a text 'program'"),
        (FilterReason.NO_PROBLEM, row.text("problem") is None, "expected a text 'problem'"),
        (
            FilterReason.TOO_LONG,
            len(program or "") > LONGEST,
            f"{len(program or ''):,} characters; expected at most {LONGEST:,}",
        ),
        (FilterReason.TOO_SHORT, length < SHORTEST, f"{length} characters; expected at least {SHORTEST}"),
    ):
        if found:
            return FilteredRow(row, reason, message=message)
    try:
        read = ConstraintProgram.for_solvers(program or "")
    except UnreadableProgramError as error:
        return _faulty(row, error.fault)
    if not read.script.declarations and read.fault is None:
        return FilteredRow(
            row, FilterReason.NO_DECLARATION, message="expected a declaration such as (declare-const x Int)"
        )
    return FilteredRow(row)


def _faulty(row: ConstraintRow, fault: ScriptFault) -> FilteredRow:
    return FilteredRow(row, str(fault.kind), fault.line, fault.column, fault.message)


def filtered_rows(
    rows: Iterable[ConstraintRow], *, limits: SolverLimits | None = None, workers: int = 0
) -> Iterator[FilteredRow]:
    """Yield a verdict for each row, in order: structural first, then z3 and cvc5, which must read it and agree."""
    waiting: list[FilteredRow] = []

    def cases() -> Iterator[ValidationCase]:
        for row in rows:
            verdict = structural_check(row)
            waiting.append(verdict)
            if verdict.reason is None:
                yield ValidationCase(row.id, row.text("program") or "")

    for validation in validate_all(cases(), limits=limits, workers=workers):
        while waiting[0].reason is not None:
            yield waiting.pop(0)
        yield _decided(waiting.pop(0).row, validation)
    yield from waiting


def _decided(row: ConstraintRow, validation: Validation) -> FilteredRow:
    """Return what the solvers make of a row; one without a check gets it."""
    script = read_script(row.text("program") or "")
    if validation.valid:
        if all(command.head not in {"check-sat", "check-sat-assuming"} for command in script.commands):
            row = replace(row, record={**row.record, "program": f"{script.text.rstrip()}\n(check-sat)\n"})
        return FilteredRow(row)
    fault = first_fault(script)
    kind, _, message = validation.error.partition(": ")
    if fault is not None and kind == fault.kind:
        return _faulty(row, fault)
    return FilteredRow(row, kind, message=message[:_KEPT_TEXT])
