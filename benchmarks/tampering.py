"""Benchmark of the re-check on tampered records: each field changed by each rule, as it is and with the digest computed anew.

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
from benchmarks.tampering_rules import tamperings
from harness.domain import Status
from oracles.certificates.solvers import SolverName, open_solver
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


def tampered(
    kind: str, records: Sequence[Record], size: int, *, resealed: bool
) -> Iterator[tuple[str, str, str, Record]]:
    """Yield kind, field, rule and record of each tampering with `size` records, spread over operators and classes."""
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
        for change in tamperings(name, record, others, resealed=resealed):
            yield change.kind, change.field, change.rule, change.record


def counts(
    files: Mapping[str, Sequence[Record]], size: int, *, resealed: bool
) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Return how many tamperings were tried and accepted, by kind and field."""
    solver = open_solver(SolverName.Z3)
    tried: Counter[tuple[str, str]] = Counter()
    accepted: Counter[tuple[str, str]] = Counter()
    for kind, records in files.items():
        for name, field, _, record in tampered(kind, records, size, resealed=resealed):
            tried[name, field] += 1
            accepted[name, field] += recheck(record, solver).status is Status.CONFIRMED
    return tried, accepted


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
        "| kind | tamperings | accepted | resealed: accepted | in free fields | other fields |",
        "|---|---|---|---|---|---|",
    ]
    tried, accepted = counts(files, size, resealed=False)
    again, passed = counts(files, size, resealed=True)
    for kind, free_fields in FREE.items():
        total, own, sealed = (
            sum(count for (name, _), count in part.items() if name == kind) for part in (tried, accepted, passed)
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
        rows.append(f"| {kind} | {total:,} | {own:,} | {sealed:,} | {free:,} | {others or 'none'} |")
    return "\n".join(rows)


def _records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
