"""Validation of all programs of a file; an interrupted validation continues where it stopped."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from harness.json_form import json_form, read_record
from harness.store.csv_tables import csv_lines
from harness.store.run_folder import Shard, dump, fingerprint, write_lines
from oracles.constraints.validation import Validation, ValidationCase, validate_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from oracles.constraints.rows import ConstraintRow
    from oracles.constraints.worker_pool import SolverLimits

TABLE, RECORDS = "validation_results.csv", "validation.jsonl"


@dataclass(frozen=True, slots=True)
class ValidationCounts:
    """How many programs there were, and of how many what was found; `kinds` counts the kinds of errors."""

    programs: int
    kept: int
    valid: int
    satisfiable: int
    unique: int
    correct: int
    judged: int
    kinds: dict[str, int]


def case_of(row: ConstraintRow) -> ValidationCase:
    """Return the case of a row; a row without a program has an empty one, which is not valid."""
    return ValidationCase(row.id, row.text("program") or "", row.text("gold"), row.truth("satisfiable"))


def validate_file(
    rows: Iterable[ConstraintRow],
    folder: Path,
    *,
    limits: SolverLimits,
    workers: int = 0,
    watch: Callable[[int, int], None] | None = None,
) -> ValidationCounts:
    """Write `validation_results.csv` (`id,valid,error`) and `validation.jsonl`, a record for each row, in order.

    Each result is written at once to a file beside them. After an interruption, a call with the same rows and limits
    continues from there. `watch` is called with the number of results and of rows.
    """
    cases = [case_of(row) for row in rows]
    folder.mkdir(parents=True, exist_ok=True)
    mark = fingerprint([dump(asdict(limits)), *(dump(asdict(case)) for case in cases)])
    partial = folder / f".validation-{mark}.partial.jsonl"
    validations = _kept(partial)
    kept, missing = len(validations), [place for place in range(len(cases)) if place not in validations]
    shard = Shard(partial)
    try:
        with closing(validate_all((cases[place] for place in missing), limits=limits, workers=workers)) as results:
            for place, validation in zip(missing, results, strict=True):
                shard.append({"place": place, "validation": json_form(validation)})
                validations[place] = validation
                if watch is not None:
                    watch(len(validations), len(cases))
    finally:
        shard.close()
    ordered = [validations[place] for place in range(len(cases))]
    write_lines(
        folder / TABLE,
        csv_lines(
            ("id", "valid", "error"), ((validation.id, validation.valid, validation.error) for validation in ordered)
        ),
    )
    write_lines(folder / RECORDS, (f"{dump(json_form(validation))}\n" for validation in ordered))
    partial.unlink(missing_ok=True)
    return _tally(ordered, kept)


def _kept(path: Path) -> dict[int, Validation]:
    """Return the results of an interrupted run; a truncated line is skipped."""
    validations: dict[int, Validation] = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
            try:
                record = json.loads(line)
                validations[record["place"]] = read_record(Validation, record["validation"])
            except (ValueError, KeyError, TypeError):
                continue
    return validations


def _tally(validations: Sequence[Validation], kept: int) -> ValidationCounts:
    kinds = Counter(validation.error.partition(":")[0] for validation in validations if validation.error)
    return ValidationCounts(
        len(validations),
        kept,
        sum(validation.valid is True for validation in validations),
        sum(validation.satisfiable is True for validation in validations),
        sum(validation.unique is True for validation in validations),
        sum(validation.correct is True for validation in validations),
        sum(validation.correct is not None for validation in validations),
        dict(kinds.most_common()),
    )
