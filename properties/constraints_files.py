"""Which constraint problems does anybody's file hold: JSONL of records, or CSV with `problem`, `reasoning` and `program`?"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from harness.constraint_problem import ConstraintProblem
from harness.corpora import read_records
from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LONGEST_CELL = 1_000_000
EXPECTED = "expected an object with the text fields problem and program, or CSV with these columns"


def read_any(path: Path) -> list[ConstraintProblem]:
    """Read problems; one without an id has the file's name and its line's number, one without a domain the file's name.

    Raises:
        HarnessError: the file cannot be read, a record is no problem, an id comes twice, or there is none.
    """
    records = _rows(path) if path.suffix == ".csv" else read_records(path)
    found: dict[str, ConstraintProblem] = {}
    for number, record in records:
        if not isinstance(record, dict) or not all(
            isinstance(record.get(name), str) for name in ("problem", "program")
        ):
            raise HarnessError(f"{path}:{number}: {EXPECTED}, found {ascii(record)[:80]}")
        problem = _problem(record, path.name.partition(".")[0], number)
        if problem.id in found:
            raise HarnessError(f"{path}:{number}: the id {problem.id[:80]!r} comes twice")
        found[problem.id] = problem
    if not found:
        raise HarnessError(f"{path}: {EXPECTED}, found nothing")
    return list(found.values())


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    csv.field_size_limit(LONGEST_CELL)
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as lines:
            yield from enumerate(csv.DictReader(lines), start=1)
    except (OSError, csv.Error) as error:
        raise HarnessError(f"{path}: cannot be read ({error})") from None


def _problem(record: Mapping[str, Any], name: str, number: int) -> ConstraintProblem:
    reasoning = record.get("reasoning") or ()
    steps = reasoning.splitlines() if isinstance(reasoning, str) else reasoning if isinstance(reasoning, list) else ()
    return ConstraintProblem(
        id=_text(record, "id") or f"{name}-{number}",
        domain=_text(record, "domain") or name,
        problem=record["problem"],
        reasoning=tuple(map(str, steps)),
        program=record["program"],
        gold=_text(record, "gold"),
        satisfiable=_truth(record, "satisfiable"),
        unique=_truth(record, "unique"),
        source=_text(record, "source") or "foreign",
    )


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    if value is None or value == "":
        return None
    # JSON has numbers and truth values of its own, which SMT-LIB writes so.
    return str(value).lower() if isinstance(value, bool) else str(value)


def _truth(record: Mapping[str, Any], name: str) -> bool | None:
    value = record.get(name)
    return value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value).lower())
