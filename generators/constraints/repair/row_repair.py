"""The repair of the programs of a file, one row in and one row out."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generators.constraints.repair.program_repair import RepairResult, repair
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.records.constraint import table, write_files

LEFT = 1
UNREADABLE = "unreadable"
"""The field of a row that is not a record, with the reason."""


def repair_file(
    source: Path, output: Path, field: str = "program", *, templates: bool = True, guarantee: bool = True
) -> int:
    """Repair the programs of a file, one row in, one row out; return 0, or 1 where programs are left with faults.

    With `guarantee` every row has a valid program. A file that cannot be read or has no such field is a `HarnessError`.
    """
    rows = list(_program_rows(source))
    if rows and not any(isinstance(row.get(field), str) for row in rows):
        names = ", ".join(dict.fromkeys(str(name) for row in rows for name in row if name != UNREADABLE))
        fields = f"its fields are {names[:200]}; name the program by --field" if names else "no row is a JSON object"
        raise HarnessError(f"{source}: no row has a text in {field!r}: {fields}")
    # A value that is not a text in place of a program is left out.
    rows = [row if isinstance(row.get(field), str) else {**row, field: None} for row in rows]
    problems = [str(row.get("problem") or "") if templates else "" for row in rows]
    pairs = zip(rows, problems, strict=True)
    results = [repair(row[field] or "", problem, guarantee=guarantee) for row, problem in pairs]
    records = [repaired_row(row, result, field) for row, result in zip(rows, results, strict=True)]
    columns = list(dict.fromkeys(name for record in records for name in record))
    write_files(output.parent, {output.name: table(records, columns) if output.suffix == ".csv" else records})
    by = Counter(result.by.value for result in results if result.repaired)
    valid = sum(not result.faults_left and not result.edits for result in results)
    left = sum(bool(result.faults_left) for result in results)
    uncertain = sum(result.repaired and result.by == "edits" and not result.certain for result in results)
    sys.stdout.write(
        f"{len(rows)} program{'' if len(rows) == 1 else 's'}: {valid} valid as they came, {by['edits']} repaired by edits ({uncertain} of them could be read "
        f"otherwise), {by['template']} by a template, {by['partial']} by their readable part alone, {left} left with faults\n"
    )
    return LEFT if left else 0


def repaired_row(row: Mapping[str, Any], repaired: RepairResult, field: str = "program") -> dict[str, Any]:
    """Return a row with its repaired program, the method of the repair, whether it is certain and why not, how much of the text is kept, and the edits."""
    return {
        **row,
        field: repaired.program,
        "repaired": repaired.repaired,
        "by": repaired.by.value,
        "certain": repaired.certain,
        "kept": "{} of {} assertions".format(*repaired.kept),
        "doubts": [*repaired.doubts, *repaired.ambiguous],
        "edits": [edit.record() for edit in repaired.edits],
    }


def _program_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield each row of a file; one that is not a record says so, and has no program."""
    for _, record in read_records(path):
        if isinstance(record, dict):
            yield record
        else:
            found = record if isinstance(record, Exception) else f"expected an object, found {str(record)[:200]}"
            yield {UNREADABLE: str(found)}
