"""The command line for the repair of SMT-LIB2 programs, one row in and one row out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.constraints.repair.program_repair import repair
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.smtlib.constraint_problem import table
from harness.store.csv_tables import csv_records
from harness.store.run_folder import dump, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generators.constraints.repair.repair_record import RepairResult

LEFT, UNUSABLE = 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Repair the programs of a file, one row in, one row out.

    Returns:
        0; 1 where programs are left with faults; 2 with one message where a file cannot be read or an option used.
    """
    options = _parser().parse_args(arguments)
    try:
        rows = _checked(list(_rows(options.input)), options)
        found = [repair(row.get(options.field) or "", _problem(row, options)) for row in rows]
        records = [repaired_row(row, one, options.field) for row, one in zip(rows, found, strict=True)]
        options.output.parent.mkdir(parents=True, exist_ok=True)
        columns = list(dict.fromkeys(name for record in records for name in record))
        write_lines(options.output, table(records, columns) if options.output.suffix == ".csv" else _json(records))
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"repair: {error}\n")
        return UNUSABLE
    return _told(found)


def repaired_row(row: Mapping[str, Any], repaired: RepairResult, field: str = "program") -> dict[str, Any]:
    """Return a row with its program as repaired, whether and by what it was, and the edits."""
    edits = [edit.record() for edit in repaired.edits]
    return {**row, field: repaired.program, "repaired": repaired.repaired, "by": repaired.by.value, "edits": edits}


def _told(found: Sequence[RepairResult]) -> int:
    valid = sum(not one.faults_left and not one.edits for one in found)
    by = {kind: sum(one.repaired and one.by == kind for one in found) for kind in ("edits", "template")}
    left = sum(bool(one.faults_left) for one in found)
    uncertain = sum(one.repaired and one.by == "edits" and not one.certain for one in found)
    sys.stdout.write(
        f"{len(found)} programs: {valid} valid as they came, {by['edits']} repaired by edits ({uncertain} of them could be read "
        f"otherwise), {by['template']} by a template, {left} left with faults\n"
    )
    return LEFT if left else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m generators.constraints.repair", description=__doc__)
    parser.add_argument("input", type=Path, help="rows with programs: .csv with a header, .jsonl or .jsonl.gz")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the repaired rows: .csv or .jsonl")
    parser.add_argument("--field", default="program", help="the column that holds the program (program)")
    parser.add_argument("--no-template", action="store_true", help="leave alone what edits do not repair")
    return parser


def _problem(row: Mapping[str, Any], options: argparse.Namespace) -> str:
    return "" if options.no_template else str(row.get("problem") or "")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield each row of a file; one that is no record says so, and has no program."""
    for _, record in csv_records(path) if path.suffix == ".csv" else read_records(path):
        if isinstance(record, dict):
            yield record
        else:
            found = record if isinstance(record, Exception) else f"expected an object, found {str(record)[:200]}"
            yield {"unreadable": str(found)}


def _checked(rows: list[dict[str, Any]], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the rows, what is no text in place of a program left out."""
    field = options.field
    if rows and not any(isinstance(row.get(field), str) for row in rows):
        names = ", ".join(dict.fromkeys(str(name) for row in rows for name in row))
        message = f"{options.input}: no row has a text in {field!r}, only {names[:200]}; name the column by --field"
        raise HarnessError(message)
    return [row if isinstance(row.get(field), str) else {**row, field: None} for row in rows]


def _json(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    return (dump(record) + "\n" for record in records)
