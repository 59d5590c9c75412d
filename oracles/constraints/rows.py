"""Reading the rows of CSV and JSONL files of constraint problems, unreadable rows included."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.smtlib.constraint_problem import COLUMNS, ConstraintProblem
from harness.store.csv_tables import csv_records
from harness.text.characters import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

MOST_STEPS = 1_000
PROGRAM = "program"
FOREIGN = "foreign"
"""The source and the domain of a problem that names none."""


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
        value = self.record.get(name)
        return value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value).lower())

    @property
    def reasoning(self) -> list[str]:
        """Return the steps; in a table, they are separated by line ends."""
        value = self.record.get("reasoning")
        steps = value.splitlines() if isinstance(value, str) else value if isinstance(value, list) else []
        return [str(step) for step in steps[:MOST_STEPS]]

    @property
    def problem(self) -> ConstraintProblem:
        """Return the row as a problem; a field that is neither a text nor a truth value counts as missing."""
        seed, stated = self.record.get("seed"), self.record.get("stated")
        return ConstraintProblem(
            id=self.id,
            domain=self.text("domain") or FOREIGN,
            problem=self.text("problem") or "",
            reasoning=tuple(self.reasoning),
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
        texts = (self.text("problem") or "", "\n".join(self.reasoning), self.text("program") or "")
        return dict(zip(COLUMNS, texts, strict=True))


def read_rows(paths: Iterable[Path], field: str = PROGRAM) -> Iterator[ConstraintRow]:
    """Yield the rows of `.csv` files and of JSON lines, plain or `.gz`, in order; `field` names what holds the program.

    The id of a row without one is the name of its file with its number; a repeated id gets the number too.

    Raises:
        HarnessError: a file cannot be read, or a table has no column of that name.
    """
    seen: set[str] = set()
    for path in paths:
        for number, record in _table(path, field.lower()) if path.suffix == ".csv" else read_records(path):
            if field != PROGRAM and isinstance(record, dict):
                record = {**record, PROGRAM: record.get(field.lower() if path.suffix == ".csv" else field)}
            row = _row(record, path.name.partition(".")[0], number)
            if row.id in seen:
                row = ConstraintRow(f"{row.id}#{number}", row.record, row.unreadable)
            seen.add(row.id)
            yield row


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


def _row(record: Any, stem: str, number: int) -> ConstraintRow:
    default = f"{stem}-{number}"
    if not isinstance(record, dict):
        return ConstraintRow(
            default,
            {},
            str(record)[:200] if isinstance(record, Exception) else f"expected an object, found {kind_of(record)}",
        )
    own = record.get("id")
    return ConstraintRow(own if isinstance(own, str) and own else default, record)


def _table(path: Path, field: str) -> Iterator[tuple[int, Any]]:
    for number, record in csv_records(path):
        if isinstance(record, ValueError):
            yield number, record
            continue
        cells = {name.lower(): cell for name, cell in record.items()}
        if field not in cells:
            names = ", ".join(COLUMNS) if field == PROGRAM else field
            found = ", ".join(cells)[:80] or "nothing"
            raise HarnessError(
                f"{path}: expected a table with the columns {names}, found {found}; --field names the program's"
            )
        yield number, cells
