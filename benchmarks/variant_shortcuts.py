"""Test for shortcuts in variant texts: a linear classifier predicts the class with all numbers masked.

`python -m benchmarks.variant_shortcuts VARIANTS.JSONL` prints the figures of a sealed variant stage.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.shortcuts import FEWEST, MOST_PROBLEMS, area_under_curve
from harness.constraint_system import ProblemClass
from harness.text.numbers import mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Record = dict[str, Any]
Pair = tuple[str, str, str]
ASKED = 0.65
MOST_OF_AN_OPERATOR = 800
NAMES = {ProblemClass.CONTRADICTORY: "contradictory", ProblemClass.UNDERSPECIFIED: "underspecified"}


def blind(text: str) -> str:
    """Return a text with every number, digits or words, replaced by the same one."""
    parts, end = [], 0
    for mention in mentions(text):
        parts += [text[end : mention.start], "0"]
        end = mention.end
    return "".join([*parts, text[end:]])


def read_variants(path: Path) -> Iterator[Record]:
    """Yield of each variant of a sealed stage what a classifier may see, and what it should tell."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield {
                "variant_id": record["variant_id"],
                "problem_id": record["problem_id"],
                "operator": record["operator"],
                "class_label": record["class_label"],
                "twin_of": record["twin_of"],
                "edited": bool(record["edits"]),
                "question": record["question"],
                "text": record["modified_problem_text"],
            }


def measure(path: Path, *, seed: int = 0) -> str:
    """Return the AUC of each pair of kinds as a Markdown table."""
    records = list(read_variants(path))
    rows = ["| texts told apart, one of each a problem | problems | AUC |", "|---|---|---|"]
    for name, pairs in kinds(records, seed=seed).items():
        if len(pairs) >= FEWEST:
            rows.append(f"| {name} | {len(pairs):,} | {area_under_curve(blinded(pairs), seed=seed):.3f} |")
        else:
            rows.append(f"| {name} | {len(pairs):,} | too few |")
    return "\n".join(rows)


def kinds(records: Iterable[Record], *, seed: int = 0) -> dict[str, list[Pair]]:
    """Return the pairs to be told apart: (problem, solvable text, other text), one of each problem, drawn by lot."""
    records = list(records)
    by_id = {record["variant_id"]: record for record in records}
    found: dict[str, list[Pair]] = defaultdict(list)
    for record in records:
        original = by_id.get(record["twin_of"])
        if original is None:
            continue
        pair = (record["problem_id"], record["text"], original["text"])
        name = NAMES[ProblemClass(original["class_label"])]
        asked = f" (asked ≤ {ASKED})" if original["class_label"] == ProblemClass.CONTRADICTORY else ""
        found[f"{name}, its near-twin{asked}"].append(pair)
        found[f"{name}, its near-twin: {original['operator']}"].append(pair)
    found["a near-twin, the original"] = [
        (record["problem_id"], record["question"], record["text"])
        for record in records
        if record["twin_of"] is not None
    ]
    found["renumbered, the original"] = [
        (record["problem_id"], record["question"], record["text"])
        for record in records
        if record["class_label"] == ProblemClass.SOLVABLE and record["edited"] and record["twin_of"] is None
    ]
    for problem_class, name in NAMES.items():
        found[f"{name}, anything solvable of the same problem"] = list(_against_solvable(records, problem_class, seed))
    order = sorted(found, key=_general_first)
    return {
        name: drawn(found[name], most=MOST_PROBLEMS if ":" not in name else MOST_OF_AN_OPERATOR, seed=seed)
        for name in order
    }


def _against_solvable(records: Iterable[Record], problem_class: ProblemClass, seed: int) -> Iterator[Pair]:
    solvable: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for record in records:
        if record["class_label"] == ProblemClass.SOLVABLE:
            solvable[record["problem_id"]].append(record["text"])
        elif record["class_label"] == problem_class:
            others[record["problem_id"]].append(record["text"])
    for problem in sorted(others.keys() & solvable.keys()):
        random = Random(f"{seed}:{problem}")
        yield problem, random.choice(sorted(solvable[problem])), random.choice(sorted(others[problem]))


def _general_first(name: str) -> tuple[bool, str]:
    return ":" in name, name


def drawn(pairs: Iterable[Pair], *, most: int, seed: int = 0) -> list[Pair]:
    """Draw one pair of each problem, at most so many, the same whatever their order."""
    best: dict[str, tuple[float, Pair]] = {}
    for pair in pairs:
        ticket = Random(f"{seed}:{pair}").random()
        held = best.get(pair[0])
        if held is None or ticket < held[0]:
            best[pair[0]] = (ticket, pair)
    return [pair for _, pair in sorted(best.values())][:most]


def blinded(pairs: Iterable[Pair]) -> list[Pair]:
    """Return pairs whose texts show no number."""
    return [(problem, blind(left), blind(right)) for problem, left, right in pairs]


def main(arguments: list[str]) -> int:
    """Print the figures of a file."""
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("usage: python -m benchmarks.variant_shortcuts runs/RUN/variant/variants.jsonl", file=sys.stderr)
        return 2
    print(measure(Path(arguments[0])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
