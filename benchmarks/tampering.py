"""Benchmark of the re-check on tampered records: each field changed by each rule, as it is and with the digest computed anew.

What passes with a digest computed anew is put back into its file, which the re-check then reads as a whole.

The records are those of the bundled corpus, made by a session of its own; `python -m benchmarks.tampering RUN --size 4` tampers with
so many records of each kind of a run.
"""

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.sessions import session
from benchmarks.tampering_rules import Tampering, swaps, tamperings
from harness.domain import Status
from oracles.proofs.file_consistency import FileConsistency
from oracles.proofs.solvers import SolverName
from properties.recheck.file_recheck import RecordRecheck

FILES = {"computational": "mutation/computational", "conceptual": "mutation/conceptual", "variant": "variant/variants"}
CLASSES = ("contradictory variant", "solvable variant", "underspecified variant")
KINDS = ("computational", "conceptual", *CLASSES)
FREE = frozenset({"model", "provenance", "question", "source"})
"""The fields that a record is made from, whose words or value nothing else in it need say."""
SIZE = 16
"""Records of each kind."""
MOST_SWAPS = 12
"""Values of other records that each field is given."""
SEED = 3
Record = dict[str, Any]


def tampered(kind: str, records: Sequence[Record], size: int, *, resealed: bool) -> Iterator[Tampering]:
    """Yield each tampering with `size` records, spread over operators and classes."""
    for name, record in _drawn(kind, records, size):
        others = [other for other in records if other["problem_id"] == record["problem_id"] and other is not record][
            :30
        ]
        others += Random(SEED).sample(list(records), min(60, len(records)))
        yield from tamperings(name, record, others, resealed=resealed)


def swapped(kind: str, records: Sequence[Record], size: int, most: int) -> Iterator[Tampering]:
    """Yield `size` records with each of their fields as other records have it, at most so many values a field."""
    random = Random(SEED)
    for name, record in _drawn(kind, records, size):
        yield from swaps(name, record, records, random, most)


def _drawn(kind: str, records: Sequence[Record], size: int) -> Iterator[tuple[str, Record]]:
    random = Random(SEED)
    strata: defaultdict[tuple[Any, ...], list[Record]] = defaultdict(list)
    for record in records:
        strata[record["operator"], record.get("class_label")].append(record)
    drawn = [random.choice(strata[key]) for key in sorted(strata, key=str)]
    random.shuffle(drawn)
    rest = random.sample(list(records), min(len(records), max(0, size - len(drawn))))
    for record in [*drawn, *rest][:size]:
        yield kind if kind != "variant" else CLASSES[record["class_label"]], record


def fits_file(change: Tampering, records: Sequence[Record], name: str = "") -> bool:
    """Tell whether a file of a name, in which a tampered record stands in the place of the original, is accepted as a whole."""
    problems = {side["problem_id"] for side in (change.original, change.record) if "problem_id" in side}
    consistency = FileConsistency(name)
    put = (change.record if record is change.original else record for record in records)
    own = (record for record in put if record.get("problem_id") in problems)
    return all(consistency.problem(place, record) is None for place, record in enumerate(own, start=1))


def counts(
    files: Mapping[str, Sequence[Record]], changes: Callable[[str, Sequence[Record]], Iterator[Tampering]]
) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Return how many changes were tried, accepted by themselves, and accepted within their file, by kind and field."""
    recheck = RecordRecheck.of(SolverName.Z3)
    tried: Counter[tuple[str, str]] = Counter()
    accepted: Counter[tuple[str, str]] = Counter()
    filed: Counter[tuple[str, str]] = Counter()
    for kind, records in files.items():
        for change in changes(kind, records):
            key = (change.kind, change.field)
            passes = recheck.result(change.record).status is Status.CONFIRMED
            tried[key] += 1
            accepted[key] += passes
            filed[key] += passes and fits_file(change, records, f"{FILES[kind].rpartition('/')[2]}.jsonl")
    return tried, accepted, filed


def measure(_: Path) -> dict[str, Any]:
    """Make the records of the bundled corpus and tamper with them: how many are accepted as they are, with a new digest, and in their file.

    Raises:
        RuntimeError: the session made no records.
    """
    with tempfile.TemporaryDirectory() as runs:
        marker = "formalization or mutation or variant"
        options = ["properties", "--harness-gate=none", f"--harness-runs={runs}", "--harness-run=x"]
        done = session(["-q", "-n0", "-m", marker, *options])
        run = Path(runs, "x")
        if not all((run / f"{name}.jsonl").exists() for name in FILES.values()):
            raise RuntimeError(f"The session ended with status {done.status} and no records:\n{done.output[-2000:]}")
        files = {kind: _records(run / f"{name}.jsonl") for kind, name in FILES.items()}
        tried, accepted, _filed = counts(files, lambda kind, records: tampered(kind, records, SIZE, resealed=False))
        again, alone, in_file = counts(files, lambda kind, records: tampered(kind, records, SIZE, resealed=True))
    return {
        "tamperings": tried.total(),
        "accepted": accepted.total(),
        "resealed": {"tamperings": again.total(), "accepted": alone.total(), "in_their_file": in_file.total()},
    }


def table(run: Path, size: int = SIZE) -> str:
    """Return the tamperings by kind and those accepted, as Markdown."""
    files = {kind: _records(run / f"{name}.jsonl") for kind, name in FILES.items()}
    rows = [
        "| kind | tamperings | accepted | resealed: accepted | and in their file | in free fields | other fields |",
        "|---|---|---|---|---|---|---|",
    ]
    tried, accepted, _ = counts(files, lambda kind, records: tampered(kind, records, size, resealed=False))
    again, alone, passed = counts(files, lambda kind, records: tampered(kind, records, size, resealed=True))
    for kind in KINDS:
        total, own, sealed = (_of_kind(kind, part) for part in (tried, accepted, alone))
        rows.append(f"| {kind} | {total:,} | {own:,} | {sealed:,} | {_told(kind, again, passed)} |")
    rows += [
        "",
        f"Each field of {size} records of each kind as other records have it, at most {MOST_SWAPS} values a field, resealed:",
        "",
        "| kind | swaps | accepted | and in their file | in free fields | other fields |",
        "|---|---|---|---|---|---|",
    ]
    tried, alone, passed = counts(files, lambda kind, records: swapped(kind, records, size, MOST_SWAPS))
    for kind in KINDS:
        rows.append(
            f"| {kind} | {_of_kind(kind, tried):,} | {_of_kind(kind, alone):,} | {_told(kind, tried, passed)} |"
        )
    return "\n".join(rows)


def _of_kind(kind: str, part: Counter[tuple[str, str]]) -> int:
    return sum(count for (name, _), count in part.items() if name == kind)


def _told(kind: str, tried: Counter[tuple[str, str]], passed: Counter[tuple[str, str]]) -> str:
    """Return the cells on what was accepted in its file: all, in free fields, and by other field."""
    fields = Counter({field: count for (name, field), count in passed.items() if name == kind and count})
    free = sum(count for field, count in fields.items() if field.partition(".")[0] in FREE)
    others = ", ".join(
        f"{field} {count} of {tried[kind, field]}"
        for field, count in fields.most_common()
        if field.partition(".")[0] not in FREE
    )
    return f"{fields.total():,} | {free:,} | {others or 'none'}"


def _records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tampering", description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run with flaws and variants")
    parser.add_argument("--size", type=int, default=SIZE, help="records of each kind")
    arguments = parser.parse_args()
    print(table(arguments.run, arguments.size))
