"""Rows of CSV and JSONL files of constraint problems, unreadable rows included, and their division into valid and broken ones."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.smtlib.constraint_problem import COLUMNS, ConstraintProblem
from harness.text.characters import kind_of
from oracles.constraints.program import CHECKS, ConstraintProgram, UnreadableProgramError, first_fault
from oracles.constraints.validation import Validation, ValidationCase, validate_all
from oracles.constraints.worker_pool import SolverLimits

LONGEST_REASONING = 1_000
PROGRAM = "program"
FOREIGN = "foreign"
"""The source and the domain of a problem that names none."""
SHORTEST, LONGEST = 30, 20_000
"""Characters of a program: fewer declare and assert nothing, more are no program of a problem."""
_KEPT_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """A row; `unreadable` is the reason if the row has no record."""

    id: str
    record: Mapping[str, Any] = field(default_factory=dict)
    unreadable: str = ""

    def text(self, name: str) -> str | None:
        """Return a field that is a text and not empty."""
        value = self.record.get(name)
        return value if isinstance(value, str) and value else None

    def truth(self, name: str) -> bool | None:
        """Return a field that is a truth value, or the word for one."""
        return {"true": True, "false": False}.get(str(self.record.get(name)).lower())

    @property
    def case(self) -> ValidationCase:
        """Return the program to validate, with what the row says of its answer."""
        return ValidationCase(self.id, self.text(PROGRAM) or "", self.text("gold"), self.truth("satisfiable"))

    @property
    def problem(self) -> ConstraintProblem:
        """Return the row as a problem; a field that is neither a text nor a truth value counts as missing."""
        steps, seed, stated = (self.record.get(name) for name in ("reasoning", "seed", "stated"))
        # In a table, the steps are lines of one cell.
        steps = steps.splitlines() if isinstance(steps, str) else steps if isinstance(steps, list) else []
        return ConstraintProblem(
            id=self.id,
            domain=self.text("domain") or FOREIGN,
            problem=self.text("problem") or "",
            reasoning=tuple(map(str, steps[:LONGEST_REASONING])),
            program=self.text(PROGRAM) or "",
            gold=self.text("gold"),
            satisfiable=self.truth("satisfiable"),
            unique=self.truth("unique"),
            source=self.text("source") or FOREIGN,
            seed=seed if isinstance(seed, int) else None,
            stated=tuple(map(str, stated)) if isinstance(stated, list) else (),
        )

    def cells(self) -> dict[str, str]:
        """Return the row as the three columns of a table."""
        problem = self.problem
        return dict(zip(COLUMNS, (problem.problem, "\n".join(problem.reasoning), problem.program), strict=True))


def read_rows(paths: Iterable[Path], field: str = PROGRAM) -> Iterator[ConstraintRow]:
    """Yield the rows of `.csv` files and of JSON lines, plain or `.gz`, in order; `field` names what holds the program.

    The id of a row without one is the name of its file with its number; a repeated id gets the number too.

    Raises:
        HarnessError: a file cannot be read, or a table has no column of that name.
    """
    seen: set[str] = set()
    for path in paths:
        table = path.suffix == ".csv"
        name = field.lower() if table else field
        for number, record in _table(path, name) if table else read_records(path):
            row = ConstraintRow(f"{path.name.partition('.')[0]}-{number}")
            if isinstance(record, dict):
                own = record.get("id")
                # Another field that holds the program takes the place of one of that name.
                record = record if name == PROGRAM else {**record, PROGRAM: record.get(name)}
                row = ConstraintRow(own if isinstance(own, str) and own else row.id, record)
            else:
                unreadable = record if isinstance(record, Exception) else f"expected an object, found {kind_of(record)}"
                row = replace(row, unreadable=str(unreadable)[:200])
            if row.id in seen:
                row = replace(row, id=f"{row.id}#{number}")
            seen.add(row.id)
            yield row


def _table(path: Path, field: str) -> Iterator[tuple[int, Any]]:
    for number, record in read_records(path):
        cells = {name.lower(): cell for name, cell in record.items()} if isinstance(record, dict) else record
        if isinstance(cells, dict) and field not in cells:
            names = ", ".join(COLUMNS) if field == PROGRAM else field
            found = ", ".join(cells)[:80] or "nothing"
            raise HarnessError(
                f"{path}: expected a table with the columns {names}, found {found}; --field names the program's"
            )
        yield number, cells


def read_constraint_problems(paths: Iterable[Path]) -> list[ConstraintProblem]:
    """Return the problems of JSONL, plain or `.gz`, and CSV with `problem`, `reasoning`, `program`; a row without a program has an empty one.

    Raises:
        HarnessError: a file cannot be read or holds none.
    """
    paths = list(paths)
    found = [row.problem for row in read_rows(paths)]
    if not found:
        raise HarnessError(f"no row in {', '.join(map(str, paths))}: expected JSONL or CSV with problem and program")
    return found


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
    program = row.text(PROGRAM) or ""
    length = len(program.strip())
    for reason, found, message in (
        ("unreadable-row", row.unreadable, row.unreadable),
        ("no-program", not program, "expected a text 'program'"),
        ("no-problem", row.text("problem") is None, "expected a text 'problem'"),
        ("too-long", len(program) > LONGEST, f"{len(program):,} characters; expected at most {LONGEST:,}"),
        ("too-short", length < SHORTEST, f"{length} characters; expected at least {SHORTEST}"),
    ):
        if found:
            return FilteredRow(row, reason, message=message)
    try:
        read = ConstraintProgram.for_solvers(program)
    except UnreadableProgramError as error:
        return FilteredRow(row, str(error.fault.kind), error.fault.line, error.fault.column, error.fault.message)
    if not read.script.declarations and read.fault is None:
        return FilteredRow(row, "no-declaration", message="expected a declaration such as (declare-const x Int)")
    return FilteredRow(row)


def filtered_rows(
    rows: Iterable[ConstraintRow], *, limits: SolverLimits | None = None, workers: int = 0
) -> Iterator[FilteredRow]:
    """Yield a verdict for each row, in order: structural first, then z3 and cvc5, which must read it and agree."""
    checked = list(map(structural_check, rows))
    cases = (ValidationCase(found.row.id, found.row.text(PROGRAM) or "") for found in checked if found.reason is None)
    with closing(validate_all(cases, limits=limits, workers=workers)) as validations:
        for found in checked:
            yield _filtered_row(found.row, next(validations)) if found.reason is None else found


def _filtered_row(row: ConstraintRow, validation: Validation) -> FilteredRow:
    """Return what the solvers make of a row; one without a check gets it."""
    script = ConstraintProgram.for_solvers(row.text(PROGRAM) or "").script
    if validation.valid:
        if all(command.head not in CHECKS for command in script.commands):
            row = replace(row, record={**row.record, PROGRAM: f"{script.text.rstrip()}\n(check-sat)\n"})
        return FilteredRow(row)
    fault = first_fault(script)
    kind, _, message = validation.error.partition(": ")
    if fault is not None and kind == fault.kind:
        return FilteredRow(row, str(fault.kind), fault.line, fault.column, fault.message)
    return FilteredRow(row, kind, message=message[:_KEPT_TEXT])
