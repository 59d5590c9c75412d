"""Benchmark of soundness: planted faults that are confirmed and planted rewrites that are refuted."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.domain import Status
from harness.program.candidate import read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from tests.oracles.equivalence.planted.planted_pairs import planted_faults, planted_rewrites

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from harness.domain import Verdict
    from tests.oracles.equivalence.planted.planted_pairs import PlantedPair

COUNT = 25_000
SEED = 1
MOST_REASONS = 25


@dataclass(slots=True)
class PlantedVerdicts:
    """The verdicts on pairs of known truth: their numbers by status, method and kind, and those that are wrong."""

    statuses: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    unknown_kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, pair: PlantedPair, verdict: Verdict, seconds: float) -> None:
        """Count a verdict."""
        self.seconds.append(seconds)
        self.statuses[verdict.status.name] += 1
        self.methods[f"{verdict.status.name} by {verdict.method}"] += 1
        names = [pair.kind] if pair.witness is not None or pair.kind.startswith("scope") else pair.kind.split("+")
        self.kinds.update(names)
        if verdict.status is Status.UNKNOWN:
            self.unknown_kinds.update(names)
            self.reasons[_reason(verdict)] += 1
        elif (verdict.status is Status.CONFIRMED) is (pair.witness is not None):
            self.wrong.append(f"{pair.left.problem_id} ({pair.kind})")


def measure(_: Path) -> str:
    """Judge 25,000 planted faults and 25,000 planted rewrites and return the verdicts as Markdown."""
    faults, rewrites = judged(planted_faults(SEED, COUNT)), judged(planted_rewrites(SEED, COUNT))
    rows, unknown = [], []
    for title, verdicts in (
        ("one side has a fault, so that the two part somewhere in the domain", faults),
        ("one side is rewritten so that the two are equal", rewrites),
    ):
        named = ", ".join(f"{count:,} {label}" for label, count in verdicts.methods.most_common())
        figures = " | ".join(f"{verdicts.statuses[status]:,}" for status in ("CONFIRMED", "REFUTED", "UNKNOWN"))
        median = sorted(verdicts.seconds)[len(verdicts.seconds) // 2]
        rows.append(f"| {len(verdicts.seconds):,} pairs, {title} | {figures} | {named} | {median * 1000:.2f} ms |")
        unknown += [
            f"| {kind} | {verdicts.kinds[kind]:,} | {count:,} |" for kind, count in verdicts.unknown_kinds.most_common()
        ]
    reasons = (faults.reasons + rewrites.reasons).most_common(MOST_REASONS)
    head = "| planted | CONFIRMED | REFUTED | UNKNOWN | by method | median a pair |\n|---|---|---|---|---|---|"
    parts = ["## Soundness", "", "    python -m benchmarks soundness", "", head, *rows, ""]
    parts += [f"Wrong verdicts: {', '.join(faults.wrong + rewrites.wrong) or 'none'}.", ""]
    parts += ["| UNKNOWN: kind of fault or rewrite | pairs | UNKNOWN |", "|---|---|---|", *unknown, ""]
    parts += ["| UNKNOWN: reason | pairs |", "|---|---|", *(f"| {reason} | {count:,} |" for reason, count in reasons)]
    return "\n".join(parts)


def judged(pairs: Iterable[PlantedPair]) -> PlantedVerdicts:
    """Judge pairs and count the verdicts."""
    verdicts = PlantedVerdicts()
    for pair in pairs:
        left, right = read_candidate(pair.left), read_candidate(pair.right)
        parameters = [() if side.program is None else side.program.parameters for side in (left, right)]
        alignments = align(parameters[0], parameters[1], pair.similarity)
        started = time.perf_counter()
        verdict = EquivalenceJudge(pair.left.problem_id).judge(left, right, alignments)
        verdicts.add(pair, verdict, time.perf_counter() - started)
    return verdicts


def _reason(verdict: Verdict) -> str:
    """Return why a verdict is UNKNOWN, without the numbers of the pair."""
    return (verdict.reason or "none").rpartition("; ")[2].partition(" (line")[0][:90]
