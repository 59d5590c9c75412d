"""Benchmark of the re-check on tampered records: each field changed by each rule, as it is and with the digest computed anew.

What passes with a digest computed anew is put back into its file, which the re-check then reads as a whole.

The records are those of the bundled corpus, made by a session of its own.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.sessions import session
from benchmarks.tampering_rules import Tampering, tamperings
from harness.domain import Status
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.file_consistency import FileConsistency
from oracles.recheck.record_recheck import recheck

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILES = {"computational": "mutation/computational", "conceptual": "mutation/conceptual", "variant": "variant/variants"}
CLASSES = ("contradictory variant", "solvable variant", "underspecified variant")
FREE = {
    "computational": frozenset({"model", "provenance", "question", "plausibility"}),
    "conceptual": frozenset({"model", "provenance", "question", "plausibility"}),
    **dict.fromkeys(CLASSES, frozenset({"model", "provenance", "tier"})),
}
"""The fields by kind whose words, or whose value, nothing else in the record says."""
SIZE = 16
"""Records of each kind."""
SEED = 3
Record = dict[str, Any]


def tampered(kind: str, records: Sequence[Record], size: int, *, resealed: bool) -> Iterator[Tampering]:
    """Yield each tampering with `size` records, spread over operators and classes."""
    random = Random(SEED)
    strata: defaultdict[tuple[Any, ...], list[Record]] = defaultdict(list)
    for record in records:
        strata[record["operator"], record.get("class_label")].append(record)
    drawn = [random.choice(strata[key]) for key in sorted(strata, key=str)]
    rest = random.sample(list(records), min(len(records), max(0, size - len(drawn))))
    for record in [*drawn, *rest][:size]:
        others = [other for other in records if other["problem_id"] == record["problem_id"] and other is not record][
            :30
        ]
        others += random.sample(list(records), min(60, len(records)))
        name = kind if kind != "variant" else CLASSES[record["class_label"]]
        yield from tamperings(name, record, others, resealed=resealed)


def fits_file(change: Tampering, records: Sequence[Record], name: str = "") -> bool:
    """Tell whether a file of a name, in which a tampered record stands in the place of the original, is accepted as a whole."""
    problems = {side["problem_id"] for side in (change.original, change.record) if "problem_id" in side}
    consistency = FileConsistency(name)
    put = (change.record if record is change.original else record for record in records)
    own = (record for record in put if record.get("problem_id") in problems)
    return all(consistency.problem(place, record) is None for place, record in enumerate(own, start=1))


def counts(
    files: Mapping[str, Sequence[Record]], size: int, *, resealed: bool
) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Return how many tamperings were tried, accepted by themselves, and accepted within their file, by kind and field."""
    solver = open_solver(SolverName.Z3)
    tried: Counter[tuple[str, str]] = Counter()
    accepted: Counter[tuple[str, str]] = Counter()
    filed: Counter[tuple[str, str]] = Counter()
    for kind, records in files.items():
        for change in tampered(kind, records, size, resealed=resealed):
            key = (change.kind, change.field)
            passes = recheck(change.record, solver).status is Status.CONFIRMED
            tried[key] += 1
            accepted[key] += passes
            filed[key] += passes and fits_file(change, records, f"{FILES[kind].rpartition('/')[2]}.jsonl")
    return tried, accepted, filed


def measure(_: Path) -> str:
    """Make the records of the bundled corpus, tamper with them, and return the figures as Markdown."""
    head = "## Tampered records\n\n    python -m benchmarks tampering"
    with tempfile.TemporaryDirectory() as runs:
        marker = "formalization or mutation or variant"
        done = session(
            [
                "-q",
                "-n0",
                "-m",
                marker,
                "properties",
                "--harness-gate=none",
                f"--harness-runs={runs}",
                "--harness-run=x",
            ]
        )
        run = Path(runs, "x")
        if not all((run / f"{name}.jsonl").exists() for name in FILES.values()):
            return f"{head}\n\nThe session failed with status {done.status}:\n\n```\n{done.output[-2000:]}\n```"
        honest = {kind: _records(run / f"{name}.jsonl") for kind, name in FILES.items()}
        solver = open_solver(SolverName.Z3)
        confirmed = sum(
            recheck(record, solver).status is Status.CONFIRMED for records in honest.values() for record in records
        )
        told = f"Records as they were made: {confirmed:,} of {sum(map(len, honest.values())):,} accepted. *Resealed* records have their digest computed anew."
        return f"{head}\n\n{told}\n\n{table(run)}"


def table(run: Path, size: int = SIZE) -> str:
    """Return the tamperings by kind and those accepted, as Markdown."""
    files = {kind: _records(run / f"{name}.jsonl") for kind, name in FILES.items()}
    rows = [
        "| kind | tamperings | accepted | resealed: accepted | and in their file | in free fields | other fields |",
        "|---|---|---|---|---|---|---|",
    ]
    tried, accepted, _ = counts(files, size, resealed=False)
    again, alone, passed = counts(files, size, resealed=True)
    for kind, free_fields in FREE.items():
        total, own, sealed, filed = (
            sum(count for (name, _), count in part.items() if name == kind) for part in (tried, accepted, alone, passed)
        )
        free = sum(
            count for (name, field), count in passed.items() if name == kind and field.partition(".")[0] in free_fields
        )
        fields = Counter(
            {
                field: count
                for (name, field), count in passed.items()
                if name == kind and count and field.partition(".")[0] not in free_fields
            }
        )
        others = ", ".join(f"{field} {count} of {again[kind, field]}" for field, count in fields.most_common())
        rows.append(f"| {kind} | {total:,} | {own:,} | {sealed:,} | {filed:,} | {free:,} | {others or 'none'} |")
    return "\n".join(rows)


def _records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
