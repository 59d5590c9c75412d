"""How are programs repaired at the command line?"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.repair.repairing import repair
from harness.corpora import read_records
from harness.errors import HarnessError
from harness.store import dump, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generators.repair.repaired import Repaired

LONGEST_FIELD = 10_000_000
LEFT, UNUSABLE = 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Repair the programs of a file, one row in, one row out.

    Returns:
        0; 1 where programs are left with faults; 2 with one message where a file cannot be read or an option used.
    """
    options = _parser().parse_args(arguments)
    try:
        rows = list(_rows(options.input))
        found = [
            (row, repair(str(row[options.field]), _problem(row, options))) for row in _checked(rows, options.field)
        ]
        lines = _csv(found, options.field) if options.output.suffix == ".csv" else _json(found, options.field)
        options.output.parent.mkdir(parents=True, exist_ok=True)
        write_lines(options.output, lines)
    except (HarnessError, OSError, csv.Error) as error:
        sys.stderr.write(f"repair: {error}\n")
        return UNUSABLE
    return _told([repaired for _, repaired in found])


def repaired_row(row: Mapping[str, Any], repaired: Repaired, field: str = "program") -> dict[str, Any]:
    """Return a row with its program as repaired, whether and by what it was, and the edits."""
    edits = [edit.record() for edit in repaired.edits]
    return {**row, field: repaired.program, "repaired": repaired.repaired, "by": repaired.by.value, "edits": edits}


def _told(found: Sequence[Repaired]) -> int:
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
    parser = argparse.ArgumentParser(prog="python -m generators.repair", description=__doc__)
    parser.add_argument("input", type=Path, help="rows with programs: .csv with a header, .jsonl or .jsonl.gz")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the repaired rows: .csv or .jsonl")
    parser.add_argument("--field", default="program", help="the column that holds the program (program)")
    parser.add_argument("--no-template", action="store_true", help="leave alone what edits do not repair")
    return parser


def _problem(row: Mapping[str, Any], options: argparse.Namespace) -> str:
    return "" if options.no_template else str(row.get("problem") or "")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if path.suffix == ".csv":
        csv.field_size_limit(LONGEST_FIELD)
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            yield from csv.DictReader(file)
        return
    for number, record in read_records(path):
        if not isinstance(record, dict):
            message = f"{path}, line {number}: {str(record)[:200]}; expected a JSON object"
            raise HarnessError(message)
        yield record


def _checked(rows: Sequence[dict[str, Any]], field: str) -> Sequence[dict[str, Any]]:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row.get(field), str):
            message = (
                f"row {number}: no text in {field!r}, only {', '.join(map(str, row))[:200]}; name the column by --field"
            )
            raise HarnessError(message)
    return rows


def _json(found: Iterable[tuple[dict[str, Any], Repaired]], field: str) -> list[str]:
    return [dump(repaired_row(row, repaired, field)) + "\n" for row, repaired in found]


def _csv(found: Sequence[tuple[dict[str, Any], Repaired]], field: str) -> list[str]:
    rows = [repaired_row(row, repaired, field) for row, repaired in found]
    page = io.StringIO()
    columns = list(dict.fromkeys(column for row in rows for column in row))
    writer = csv.DictWriter(page, columns, lineterminator="\n", restval="")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {**row, "repaired": str(row["repaired"]).lower(), "edits": json.dumps(row["edits"], ensure_ascii=False)}
        )
    return [page.getvalue()]
