"""The command line that filters and validates files of constraint programs in SMT-LIB 2."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.errors import HarnessError
from oracles.constraints.limits import SolverLimits
from oracles.constraints.row_filter import filter_rows
from oracles.constraints.rows import read_rows
from oracles.constraints.validation import ValidationErrorKind
from oracles.constraints.validation_files import validate_file

if TYPE_CHECKING:
    from collections.abc import Sequence

UNUSABLE, DISAGREED, ENDED = 2, 3, 130
_TOLD = 5.0
"""Seconds between two lines of progress."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Filter or validate files.

    Returns:
        0; 2 with one message where something cannot be used; 3 where z3 and cvc5 contradict each other, which one of them has to
        answer for; 130 where it was interrupted: what was validated is kept, and the same command goes on.
    """
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"constraints: {error}\n")
        return UNUSABLE
    except KeyboardInterrupt:
        kept = f"; the same command goes on with what is in {options.output}" if options.step == "validate" else ""
        sys.stderr.write(f"constraints: interrupted{kept}\n")
        return ENDED


def _run(options: argparse.Namespace) -> int:
    limits = SolverLimits(options.work, options.seconds, options.memory)
    rows = list(read_rows(options.files))
    if not rows:
        raise HarnessError(f"{options.files[0]}: holds no row; expected problems with programs")
    if options.output.is_file():
        raise HarnessError(f"-o {str(options.output)!r}: is a file; expected a folder")
    if options.step == "filter":
        filtered = filter_rows(rows, options.output, limits=limits, workers=options.workers)
        told = {"rows": filtered.rows, "valid": filtered.valid, **filtered.reasons}
        disagreed = ValidationErrorKind.DISAGREEMENT in filtered.reasons
    else:
        tally = validate_file(rows, options.output, limits=limits, workers=options.workers, watch=_Watch())
        judged = {"correct": tally.correct, "of so many that say what is right": tally.judged} if tally.judged else {}
        kept = {"found before": tally.kept} if tally.kept else {}
        told = {"programs": tally.programs, **kept, "valid": tally.valid, "satisfiable": tally.satisfiable}
        told |= {"unique answer": tally.unique, **judged, **tally.kinds}
        disagreed = ValidationErrorKind.DISAGREEMENT in tally.kinds
    _show(told, options.output)
    if disagreed:
        sys.stderr.write("constraints: z3 and cvc5 contradict each other on a program; see solvers-disagree\n")
        return DISAGREED
    return 0


class _Watch:
    """Says now and then how far it is."""

    def __init__(self) -> None:
        self._began = self._told = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, all_of_them: int) -> None:
        if self._first is None:
            self._first = done - 1
        now = time.monotonic()
        if now - self._told > _TOLD:
            self._told = now
            rate = (done - self._first) / (now - self._began)
            sys.stderr.write(f"constraints: {done:,} of {all_of_them:,}, {rate:,.0f} a second\n")


def _show(told: dict[str, int], folder: Path) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(overflow="fold")
    table.add_column(justify="right")
    for name, count in told.items():
        table.add_row(Text(name[:80]), f"{count:,}")
    console = Console()
    console.print(table)
    console.print(Text(f"written to {folder}"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m oracles.constraints", description="Filter or validate programs in SMT-LIB2 by z3 and cvc5."
    )
    steps = parser.add_subparsers(dest="step", required=True, metavar="filter|validate")
    abouts = {
        "filter": "write valid.csv, broken.csv and the same as JSON lines; each broken row with its reason and place",
        "validate": "write validation_results.csv (id,valid,error) and validation.jsonl with all that was found",
    }
    for name, about in abouts.items():
        step = steps.add_parser(name, help=about, description=about)
        step.add_argument(
            "files", nargs="+", type=Path, metavar="FILE", help="CSV (problem,reasoning,program) or JSON lines"
        )
        step.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="where to write")
        limits = SolverLimits()
        step.add_argument(
            "--work",
            type=_positive,
            default=limits.work,
            metavar="N",
            help=f"solver work on one question ({limits.work:,})",
        )
        step.add_argument(
            "--seconds",
            type=_seconds,
            default=limits.seconds,
            metavar="N",
            help=f"seconds until a program is given up ({limits.seconds:g})",
        )
        step.add_argument(
            "--memory",
            type=_positive,
            default=limits.memory,
            metavar="MIB",
            help=f"MiB a worker may take ({limits.memory:,})",
        )
        step.add_argument("--workers", type=_count, default=0, metavar="N", help="processes (one a core)")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) > 1_000:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1,000, found {text!r}")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000_000:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 1,000,000,000, found {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 100_000:
        raise argparse.ArgumentTypeError(f"expected a number of seconds above 0, found {text!r}")
    return found
