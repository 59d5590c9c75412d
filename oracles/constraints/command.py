"""The commands `oracle-factory smt filter`, `oracle-factory smt validate` and `oracle-factory smt align`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.errors import HarnessError
from oracles.constraints.rows import PROGRAM
from oracles.constraints.worker_pool import SolverLimits

if TYPE_CHECKING:
    from oracles.constraints.rows import ConstraintRow

NOTHING_READ, DISAGREED, INTERRUPTED = 1, 3, 130
PROGRESS_SECONDS = 5.0
"""Seconds between two lines of progress."""
LIMITS = SolverLimits()
MOST = 1_000_000_000

Rows = Annotated[
    list[Path], typer.Argument(metavar="FILE", help="CSV (problem,reasoning,program) or JSON lines; repeatable.")
]
Folder = Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write.")]
Field = Annotated[str, typer.Option(metavar="NAME", help="The column or key that holds the program.")]
Work = Annotated[int, typer.Option(min=1, max=MOST, metavar="N", help="Solver work on a question.")]
Seconds = Annotated[
    float, typer.Option(min=0.001, max=100_000, metavar="N", help="Seconds until a program is given up.")
]
Memory = Annotated[int, typer.Option(min=1, max=MOST, metavar="MIB", help="Memory of a process.")]
Workers = Annotated[int, typer.Option(min=0, max=1_000, metavar="N", help="Number of processes; 0: one for each core.")]


def filter_programs(
    files: Rows,
    *,
    output: Folder,
    field: Field = PROGRAM,
    work: Work = LIMITS.work,
    seconds: Seconds = LIMITS.seconds,
    memory: Memory = LIMITS.memory,
    workers: Workers = 0,
) -> int:
    """Divide rows into valid and broken programs.

    The folder gets valid.csv, broken.csv and the same as JSON lines; each broken row has its reason and place.

    Example: oracle-factory smt filter rows.csv -o filtered

    Returns:
        0; 1 if no program could be read; 2 if a file or an option cannot be used; 3 if z3 and cvc5 contradict each other, so one of them is wrong; 130
        if it was interrupted.
    """
    from oracles.constraints.row_files import filter_rows

    rows = _read(files, output, field)
    counts = filter_rows(rows, output, limits=SolverLimits(work, seconds, memory), workers=workers)
    return _status(rows, counts, output, "filter", field)


def validate(
    files: Rows,
    *,
    output: Folder,
    field: Field = PROGRAM,
    work: Work = LIMITS.work,
    seconds: Seconds = LIMITS.seconds,
    memory: Memory = LIMITS.memory,
    workers: Workers = 0,
) -> int:
    """Judge programs by z3 and cvc5.

    The folder gets validation_results.csv (id,valid,error) and validation.jsonl with all results.

    Example: oracle-factory smt validate rows.jsonl -o validated

    Returns:
        0; 1 if no program could be read; 2 if a file or an option cannot be used; 3 if z3 and cvc5 contradict each other, so one of them is wrong; 130
        if it was interrupted: the results are kept, and the same command continues.
    """
    from oracles.constraints.row_files import validate_rows

    rows = _read(files, output, field)
    limits = SolverLimits(work, seconds, memory)
    try:
        counts = validate_rows(rows, output, limits=limits, workers=workers, watch=_Progress())
    except KeyboardInterrupt:
        sys.stderr.write(f"oracle-factory smt validate: interrupted; the same command continues from {output}\n")
        return INTERRUPTED
    return _status(rows, counts, output, "validate", field)


def align(
    files: Rows,
    *,
    output: Folder,
    field: Field = PROGRAM,
    text: Annotated[str, typer.Option(metavar="NAME", help="The column or key that holds the problem.")] = "problem",
    right: Annotated[
        str, typer.Option(metavar="NAME=VALUE", help="What rows with a right program have, to count these apart.")
    ] = "",
) -> int:
    """Find clauses that no assertion of a program states.

    The folder gets alignment.jsonl, and alignment.md with the programs that lack a clause. The alignment reads names and numbers,
    no meaning: what it finds is to be looked at.

    Example: oracle-factory smt align rows.jsonl -o aligned

    Returns:
        0; 1 if no program could be read; 2 if a file or an option cannot be used.
    """
    from oracles.constraints.row_files import align_rows

    name, equals, value = right.partition("=")
    if right and not (name and equals):
        raise HarnessError(f"--right {right!r}: expected NAME=VALUE, such as verdict=correct")
    rows = _read(files, output, field)
    counts = align_rows(rows, output, text, (name, value) if right else None)
    return _status(rows, counts, output, "align", field)


def _read(files: list[Path], output: Path, field: str) -> list[ConstraintRow]:
    from oracles.constraints.rows import read_rows

    rows = list(read_rows(files, field))
    if not rows:
        raise HarnessError(f"{files[0]}: holds no row; expected problems with programs")
    if output.is_file():
        raise HarnessError(f"-o {str(output)!r}: is a file; expected a folder")
    return rows


class _Progress:
    """Prints a line of progress every few seconds."""

    def __init__(self) -> None:
        self._began = self._printed = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._first is None:
            self._first = done - 1
        now = time.monotonic()
        if now - self._printed > PROGRESS_SECONDS:
            self._printed = now
            rate = (done - self._first) / (now - self._began)
            sys.stderr.write(f"oracle-factory smt validate: {done:,} of {total:,}, {rate:,.0f} a second\n")


def _status(rows: list[ConstraintRow], counts: dict[str, int], folder: Path, command: str, field: str) -> int:
    """Print the counts; return the exit status."""
    from oracles.constraints.validation import ValidationErrorKind

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(overflow="fold")
    table.add_column(justify="right")
    for name, count in counts.items():
        table.add_row(Text(name[:80]), f"{count:,}")
    console = Console()
    console.print(table)
    console.print(Text(f"written to {folder}"))
    if not any(row.text(PROGRAM) for row in rows):
        names = ", ".join(dict.fromkeys(name for row in rows for name in row.record))
        fields = f"its fields are {names[:200]}; name the program by --field" if names else "no row is a JSON object"
        sys.stderr.write(f"oracle-factory smt {command}: no row has a text in {field!r}: {fields}\n")
        return NOTHING_READ
    if ValidationErrorKind.DISAGREEMENT in counts:
        message = "z3 and cvc5 contradict each other on a program; see solvers-disagree"
        sys.stderr.write(f"oracle-factory smt {command}: {message}\n")
        return DISAGREED
    return 0
