"""Which problems have a program that can be used, and what is wrong with the others, and where?"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.smtlib.constraint_problem import COLUMNS
from harness.smtlib.script import read_script
from harness.store.csv_tables import csv_lines
from harness.store.run_folder import dump, write_lines
from oracles.constraints.program import first_fault
from oracles.constraints.validation import Case, validate_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from oracles.constraints.limits import Limits
    from oracles.constraints.rows import Row

SHORTEST, LONGEST = 30, 20_000
"""Characters of a program: fewer declare and assert nothing, more are no program of a problem."""
_KEPT_TEXT = 2_000


class Reason(enum.StrEnum):
    """Why a row is broken, where it is neither the reader's `FaultKind` nor an `ErrorKind` of the solvers."""

    UNREADABLE = "unreadable-row"
    NO_PROBLEM = "no-problem"
    NO_PROGRAM = "no-program"
    TOO_SHORT = "too-short"
    TOO_LONG = "too-long"
    NO_DECLARATION = "no-declaration"


@dataclass(frozen=True, slots=True)
class Screened:
    """What is wrong with a row: a kind, `None` where nothing is, its place in the program if it has one, and it in words."""

    row: Row
    reason: str | None = None
    line: int | None = None
    column: int | None = None
    message: str = ""

    def record(self) -> dict[str, Any]:
        """Return the row with what is wrong with it."""
        record = {**self.row.record, "id": self.row.id}
        if self.reason is None:
            return record
        return {**record, "reason": self.reason, "line": self.line, "column": self.column, "message": self.message}


@dataclass(frozen=True, slots=True)
class Filtered:
    """How many rows came, were kept, and were broken for which reasons."""

    rows: int
    valid: int
    reasons: dict[str, int]


def structural(row: Row) -> Screened:
    """Judge a row without a solver: a program of a length, with a declaration and an assertion, that reads without a fault."""
    program = row.text("program")
    if row.unreadable:
        return Screened(row, Reason.UNREADABLE, message=row.unreadable)
    if program is None:
        return Screened(row, Reason.NO_PROGRAM, message="expected a text 'program'")
    if row.text("problem") is None:
        return Screened(row, Reason.NO_PROBLEM, message="expected a text 'problem'")
    if len(program) > LONGEST:
        return Screened(row, Reason.TOO_LONG, message=f"{len(program):,} characters; expected at most {LONGEST:,}")
    if len(program.strip()) < SHORTEST:
        return Screened(
            row, Reason.TOO_SHORT, message=f"{len(program.strip())} characters; expected at least {SHORTEST}"
        )
    script = read_script(program)
    fault = first_fault(script)
    if fault is not None:
        return Screened(row, str(fault.kind), fault.line, fault.column, fault.message)
    if not script.declarations:
        return Screened(row, Reason.NO_DECLARATION, message="expected a declaration such as (declare-const x Int)")
    return Screened(row)


def judged(rows: Iterable[Row], *, limits: Limits | None = None, workers: int = 0) -> Iterator[Screened]:
    """Yield a verdict for each row, in order: structural first, then z3 and cvc5, which must read it and agree."""
    waiting: list[Screened] = []

    def cases() -> Iterator[Case]:
        for row in rows:
            verdict = structural(row)
            waiting.append(verdict)
            if verdict.reason is None:
                yield Case(row.id, row.text("program") or "")

    found = validate_all(cases(), limits=limits, workers=workers)
    for validation in found:
        while waiting[0].reason is not None:
            yield waiting.pop(0)
        verdict = waiting.pop(0)
        kind, _, message = validation.error.partition(": ")
        yield verdict if validation.valid else Screened(verdict.row, kind, message=message[:_KEPT_TEXT])
    yield from waiting


def filter_rows(rows: Iterable[Row], folder: Path, *, limits: Limits | None = None, workers: int = 0) -> Filtered:
    """Write `valid.csv`, `valid.jsonl`, `broken.csv` and `broken.jsonl`: each row is in one of the two, none is in both."""
    valid: list[Screened] = []
    broken: list[Screened] = []
    for verdict in judged(rows, limits=limits, workers=workers):
        (valid if verdict.reason is None else broken).append(verdict)
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / "valid.csv", csv_lines(COLUMNS, (one.row.cells() for one in valid)))
    places = (*COLUMNS, "reason", "line", "column")
    write_lines(
        folder / "broken.csv",
        csv_lines(places, ((*one.row.cells(), one.reason, one.line, one.column) for one in broken)),
    )
    for name, verdicts in (("valid", valid), ("broken", broken)):
        write_lines(folder / f"{name}.jsonl", (f"{dump(one.record())}\n" for one in verdicts))
    reasons: dict[str, int] = {}
    for one in broken:
        reasons[str(one.reason)] = reasons.get(str(one.reason), 0) + 1
    return Filtered(len(valid) + len(broken), len(valid), dict(sorted(reasons.items(), key=lambda item: -item[1])))
