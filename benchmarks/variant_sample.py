"""Manual check of variant labels and English on a blind sample, and the score of the judgements.

`python -m benchmarks.variant_sample VARIANTS.JSONL` prints 100 randomly drawn variants without their labels, and an empty record
for each judgement; `--of 0` draws from the operators that make contradictions only, near-twins among them. Judgements are kept in `variants_sample.jsonl` without the text, by ids without the operator; `--score` scores them.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from harness.solution.phrases.reasoning_phrases import OPERATOR_CLASSES

SAMPLE = Path(__file__).parent / "variants_sample.jsonl"
SEED, SIZE = 13, 100
Record = dict[str, Any]


def draw(file: Path, *, size: int = SIZE, seed: int = SEED, of: int | None = None) -> list[Record]:
    """Draw variants by lot, in turn one of each operator and class, near-twins apart; in an order that tells nothing.

    `of` is the class that the operators make, any of them if it is `None`.
    """
    strata: dict[tuple[str, int, bool], list[tuple[str, Record]]] = defaultdict(list)
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            kept = {name: record[name] for name in ("variant_id", "modified_problem_text", "class_label", "operator")}
            if of is not None and OPERATOR_CLASSES.get(record["operator"]) != of:
                continue
            stratum = (record["operator"], record["class_label"], record["twin_of"] is not None)
            strata[stratum].append((_lot(seed, record["variant_id"]), kept))
            if len(strata[stratum]) > 4 * size:
                strata[stratum] = sorted(strata[stratum], key=_first)[:size]
    waiting = [sorted(strata[name], key=_first) for name in sorted(strata)]
    drawn: list[tuple[str, Record]] = []
    while len(drawn) < size and any(waiting):
        for lot in waiting:
            if lot and len(drawn) < size:
                drawn.append(lot.pop(0))
    return [record for _, record in sorted(drawn, key=_first)]


def _lot(seed: int, variant_id: str) -> str:
    return hashlib.sha256(f"{seed}:{variant_id}".encode()).hexdigest()


def _first(item: tuple[str, Record]) -> str:
    return item[0]


def score(file: Path, table: Path = SAMPLE) -> str:
    """Compare a table of judgements with the labels of a stage, as Markdown."""
    if not table.exists():
        return "No sample was judged by hand."
    judged = {row["variant_id"]: row for row in map(json.loads, table.read_text(encoding="utf-8").splitlines())}
    labels: dict[str, Record] = {}
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            name = blind_id(record["variant_id"])
            if name in judged:
                labels[name] = {"operator": record["operator"], "class_label": record["class_label"]}
    found = [(row, labels[name]) for name, row in judged.items() if name in labels]
    right = [row["judged_class"] == label["class_label"] for row, label in found]
    natural = sum(bool(row["natural"]) for row, _ in found)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for (row, label), correct in zip(found, right, strict=True):
        stratum = f"{label['class_label']} {label['operator']}"
        counts[stratum].update(read=1, correct=int(correct), natural=int(bool(row["natural"])))
    rows = ["| class and operator | read | label correct | natural English |", "|---|---|---|---|"]
    rows += [
        f"| {name} | {tally['read']} | {tally['correct']} | {tally['natural']} |"
        for name, tally in sorted(counts.items())
    ]
    gone = (
        f"; {len(judged) - len(found)} of the table are no variants of this stage" if len(found) < len(judged) else ""
    )
    head = (
        f"{len(judged)} variants drawn by lot (seed {SEED}), judged before looking at the label: of the {len(found)} of this stage, "
        f"{sum(right)} labels are correct and {natural} texts are natural English{gone}."
    )
    return "\n".join([head, "", *rows])


def main(arguments: list[str]) -> int:
    """Print the sample of a file, or score the table."""
    scoring = arguments[:1] == ["--score"]
    chosen = arguments[1] if arguments[:1] == ["--of"] and len(arguments) > 1 else None
    paths = arguments[1:] if scoring else arguments[2:] if chosen in {"0", "1", "2"} else arguments
    if len(paths) != 1 or not Path(paths[0]).is_file():
        print(
            "usage: python -m benchmarks.variant_sample [--score | --of CLASS] runs/RUN/variant/variants.jsonl",
            file=sys.stderr,
        )
        return 2
    if scoring:
        print(score(Path(paths[0])))
        return 0
    for number, record in enumerate(draw(Path(paths[0]), of=None if chosen is None else int(chosen)), start=1):
        print(f"\n=== {number}\n{record['modified_problem_text']}")
        row = {"variant_id": blind_id(record["variant_id"]), "judged_class": None, "natural": None, "note": ""}
        print(json.dumps(row))
    return 0


def blind_id(variant_id: str) -> str:
    """Return the id of a variant without its operator, which would tell its label."""
    problem_id, _, digest = variant_id.rsplit(":", 2)
    return f"{problem_id}:{digest}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
