"""Reading constraint problems from CSV and JSONL files; incomplete rows become problems too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.smtlib.constraint_problem import ConstraintProblem
from oracles.constraints.rows import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from oracles.constraints.rows import ConstraintRow

FOREIGN = "foreign"
"""The source and the domain of a problem that names none."""


def read_constraint_problems(paths: Iterable[Path]) -> list[ConstraintProblem]:
    """Return the problems of JSONL, plain or `.gz`, and CSV with `problem`, `reasoning`, `program`; a row without a program has an empty one.

    Raises:
        HarnessError: a file cannot be read or holds none.
    """
    found = list(_problems(paths))
    if not found:
        raise HarnessError(f"no row in {', '.join(map(str, paths))}: expected JSONL or CSV with problem and program")
    return found


def _problems(paths: Iterable[Path]) -> Iterator[ConstraintProblem]:
    for row in read_rows(paths):
        yield problem_of(row)


def problem_of(row: ConstraintRow) -> ConstraintProblem:
    """Return a row as a problem; a field that is neither a text nor a truth value counts as missing."""
    seed, stated = row.record.get("seed"), row.record.get("stated")
    return ConstraintProblem(
        id=row.id,
        domain=row.text("domain") or FOREIGN,
        problem=row.text("problem") or "",
        reasoning=tuple(row.reasoning),
        program=row.text("program") or "",
        gold=row.text("gold"),
        satisfiable=row.truth("satisfiable"),
        unique=row.truth("unique"),
        source=row.text("source") or FOREIGN,
        seed=seed if isinstance(seed, int) else None,
        stated=tuple(map(str, stated)) if isinstance(stated, list) else (),
    )
