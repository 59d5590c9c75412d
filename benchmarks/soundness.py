"""Benchmark of soundness: planted faults that are confirmed and planted rewrites that are refuted."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from harness.program.candidate import read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from tests.oracles.equivalence.planted_pairs import planted_faults, planted_rewrites

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.oracles.equivalence.planted_pairs import PlantedPair

COUNT = 5_000
SEED = 1


def measure(_: Path) -> str:
    """Judge 5,000 planted faults and 5,000 planted rewrites and return the verdicts as Markdown."""
    rows = []
    for title, pairs in (
        ("one side changed so that the two part somewhere in the domain", planted_faults(SEED, COUNT)),
        ("one side rewritten so that the two are equal", planted_rewrites(SEED, COUNT)),
    ):
        counts, methods, median = _judged(pairs)
        named = ", ".join(f"{count:,} {label}" for label, count in methods.most_common())
        figures = " | ".join(f"{counts[status]:,}" for status in ("CONFIRMED", "REFUTED", "UNKNOWN"))
        rows.append(f"| {COUNT:,} pairs, {title} | {figures} | {named} | {median * 1000:.2f} ms |")
    head = "| planted | CONFIRMED | REFUTED | UNKNOWN | by method | median a pair |\n|---|---|---|---|---|---|"
    return "\n".join(["## Soundness", "", "    python -m benchmarks soundness", "", head, *rows])


def _judged(pairs: Iterable[PlantedPair]) -> tuple[Counter[str], Counter[str], float]:
    counts, methods, times = Counter[str](), Counter[str](), list[float]()
    for pair in pairs:
        left, right = read_candidate(pair.left), read_candidate(pair.right)
        parameters = [() if side.program is None else side.program.parameters for side in (left, right)]
        alignments = align(parameters[0], parameters[1], pair.similarity)
        started = time.perf_counter()
        verdict = EquivalenceJudge(pair.left.problem_id).judge(left, right, alignments)
        times.append(time.perf_counter() - started)
        counts[verdict.status.name] += 1
        methods[f"{verdict.status.name} by {verdict.method}"] += 1
    return counts, methods, sorted(times)[len(times) // 2]
