"""The commands `oracle-factory smt filter`, `oracle-factory smt validate` and `oracle-factory smt align`."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.command_line.option_types import from_fields
from harness.errors import HarnessError
from harness.store.progress_line import StageProgress
from oracles.constraints.rows import PROGRAM, ConstraintRow, read_rows
from oracles.constraints.solver_processes import SolverLimits

NOTHING_READ, DISAGREED = 1, 3
LIMITS = SolverLimits()
MOST = 1_000_000_000

Rows = Annotated[
    list[Path], typer.Argument(metavar="FILE", help="CSV (problem,reasoning,program) or JSON lines; repeatable.")
]
Folder = Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write.")]
Field = Annotated[str, typer.Option(metavar="NAME", help="The column or key that holds the program.")]


@dataclass(frozen=True, slots=True)
class JudgingOptions:
    """The options of `oracle-factory smt filter` and `oracle-factory smt validate`."""

    files: Rows
    output: Folder
    field: Field = PROGRAM
    work: Annotated[int, typer.Option(min=1, max=MOST, metavar="N", help="Solver work on a question.")] = LIMITS.work
    seconds: Annotated[
        float, typer.Option(min=0.001, max=100_000, metavar="N", help="Seconds until a program is given up.")
    ] = LIMITS.seconds
    memory: Annotated[int, typer.Option(min=1, max=MOST, metavar="MIB", help="Memory of a process.")] = LIMITS.memory
    workers: Annotated[
        int, typer.Option(min=0, max=1_000, metavar="N", help="Number of processes; 0: one for each core.")
    ] = 0

    @property
    def limits(self) -> SolverLimits:
        """Return the limits of a program."""
        return SolverLimits(self.work, self.seconds, self.memory)


@from_fields
def filter_programs(options: JudgingOptions) -> int:
    """Divide rows into valid and broken programs.

    The folder gets valid.csv, broken.csv and the same as JSON lines; each broken row has its reason and place.

    Example: oracle-factory smt filter rows.csv -o filtered

    Returns:
        0; 1 if no program could be read; 2 if a file or an option cannot be used; 3 if z3 and cvc5 contradict each other, so one of them is wrong; 130
        if it was interrupted.
    """
    from oracles.constraints.rows import filter_rows

    rows = _constraint_rows(options.files, options.output, options.field)
    counts = filter_rows(rows, options.output, limits=options.limits, workers=options.workers)
    return _status(rows, counts, options.output, "filter", options.field)


@from_fields
def validate(options: JudgingOptions) -> int:
    """Judge programs by z3 and cvc5.

    The folder gets validation_results.csv (id,valid,error) and validation.jsonl with all results.

    Example: oracle-factory smt validate rows.jsonl -o validated

    Returns:
        0; 1 if no program could be read; 2 if a file or an option cannot be used; 3 if z3 and cvc5 contradict each other, so one of them is wrong; 130
        if it was interrupted: the results are kept, and the same command continues.
    """
    from oracles.constraints.rows import validate_rows

    rows, folder = _constraint_rows(options.files, options.output, options.field), options.output
    progress = StageProgress("smt validate", sys.stderr, noun="programs")
    counts = validate_rows(rows, folder, limits=options.limits, workers=options.workers, progress=progress)
    progress.cleared()
    return _status(rows, counts, folder, "validate", options.field)


def align(
    files: Rows,
    *,
    output: Folder,
    field: Field = PROGRAM,
    text: Annotated[str, typer.Option(metavar="NAME", help="The column or key that holds the problem.")] = "problem",
) -> int:
    """Find clauses that no assertion of a program states.

    The folder gets alignment.jsonl, and alignment.md with the programs that lack a clause. The alignment reads names and numbers,
    no meaning: what it finds is to be looked at.

    Example: oracle-factory smt align rows.jsonl -o aligned

    Returns:
        0; 1 if no program could be read; 2 if a file or an option cannot be used.
    """
    from oracles.constraints.rows import align_rows

    rows = _constraint_rows(files, output, field)
    return _status(rows, align_rows(rows, output, text), output, "align", field)


def _constraint_rows(files: list[Path], output: Path, field: str) -> list[ConstraintRow]:
    rows = list(read_rows(files, field))
    if not rows:
        raise HarnessError(f"{files[0]}: holds no row; expected problems with programs")
    if output.is_file():
        raise HarnessError(f"-o {str(output)!r}: is a file; expected a folder")
    return rows


def _status(rows: list[ConstraintRow], counts: dict[str, int], folder: Path, command: str, field: str) -> int:
    """Print the counts; return the exit status."""
    from oracles.constraints.validation import ValidationErrorKind

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(overflow="fold")
    table.add_column(justify="right")
    for name, count in counts.items():
        table.add_row(Text(name[:80]), f"{count:,}")
    Console().print(table, Text(f"written to {folder}"), sep="\n")
    status, message = 0, ""
    if not any(row.text(PROGRAM) for row in rows):
        names = ", ".join(dict.fromkeys(name for row in rows for name in row.record))
        fields = f"its fields are {names[:200]}; name the program by --field" if names else "no row is a JSON object"
        status, message = NOTHING_READ, f"no row has a text in {field!r}: {fields}"
    elif ValidationErrorKind.DISAGREEMENT in counts:
        status, message = DISAGREED, "z3 and cvc5 contradict each other on a program; see solvers-disagree"
    if message:
        sys.stderr.write(f"oracle-factory smt {command}: {message}\n")
    return status
