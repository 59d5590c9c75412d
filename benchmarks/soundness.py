"""Benchmark of soundness: planted faults that are confirmed and planted rewrites that are refuted.

`python -m benchmarks.soundness --processes 2` measures with two processes and prints the figures. The
pairs are planted in parts of 500, so that they are the same whatever the number of processes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

from harness.domain import Status, Verdict
from harness.program.lifter import read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.equivalence.provers.comparison import Comparison
from oracles.equivalence.provers.smt import SmtResult
from tests.oracles.equivalence.planted.planted_pairs import PlantedPair, planted_faults, planted_rewrites
from tests.oracles.equivalence.provers.second_solver import second_answer

COUNT = 2_500
PART = 500
SEED = 1
MOST_REASONS = 25


@dataclass(slots=True)
class PlantedVerdicts:
    """The verdicts on pairs of known truth: their numbers by status, method and kind, and those that are wrong.

    `solvers` counts what z3 and cvc5 say to each question that z3 decided; where they contradict each other, the pair is wrong.
    """

    seed: str = ""
    statuses: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    unknown_kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    solvers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    second_solver_seconds: list[float] = field(default_factory=list)
    processor_seconds: list[float] = field(default_factory=list)

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
            self.causes[_cause(verdict)] += 1
        elif (verdict.status is Status.CONFIRMED) is (pair.witness is not None):
            self.wrong.append(f"{self.seed} {pair.left.problem_id} ({pair.kind})")

    def add_second_answer(self, pair: PlantedPair, first: SmtResult, comparison: Comparison) -> None:
        """Ask cvc5 what z3 decided, and count both answers."""
        started = time.perf_counter()
        expected, answer = "unsat" if first.equal else "sat", second_answer(comparison)
        self.second_solver_seconds.append(time.perf_counter() - started)
        self.solvers[f"z3 {expected}, cvc5 {answer}"] += 1
        if answer not in {expected, "unknown", "no answer"}:
            self.wrong.append(f"{self.seed} {pair.left.problem_id} ({pair.kind}): z3 {expected}, cvc5 {answer}")

    def merge(self, other: PlantedVerdicts) -> None:
        """Add the verdicts of another part."""
        for place in fields(self)[1:]:
            mine, theirs = getattr(self, place.name), getattr(other, place.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            else:
                mine.extend(theirs)


def measure(_: Path) -> dict[str, Any]:
    """Judge 2,500 planted faults and 2,500 planted rewrites."""
    return figures(SEED, COUNT, 2)


def figures(seed: int, count: int, processes: int) -> dict[str, Any]:
    """Judge as many planted faults and rewrites with several processes; a fault makes the two part somewhere in the domain."""
    parts = [(f"{seed}:{first}", min(PART, count - first)) for first in range(0, count, PART)]
    faults, rewrites = PlantedVerdicts(), PlantedVerdicts()
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for planted in pool.imap_unordered(_judged_part, parts):
            for whole, part in zip((faults, rewrites), planted, strict=True):
                whole.merge(part)
    wrong = sorted(faults.wrong + rewrites.wrong)
    unknown = faults.statuses["UNKNOWN"] + rewrites.statuses["UNKNOWN"]
    return {
        "seed": seed,
        "pairs": 2 * count,
        "wrong": len(wrong),
        "wrong_pairs": wrong,
        "unknown": unknown,
        **{cause: faults.causes[cause] + rewrites.causes[cause] for cause in ("refused", "in_floats", "unproved")},
        "faults": _summary(faults),
        "rewrites": _summary(rewrites),
        "solvers": dict((faults.solvers + rewrites.solvers).most_common()),
        "unknown_reasons": dict((faults.reasons + rewrites.reasons).most_common(MOST_REASONS)),
    }


def _summary(verdicts: PlantedVerdicts) -> dict[str, Any]:
    return {
        **{status: verdicts.statuses[status] for status in ("CONFIRMED", "REFUTED", "UNKNOWN")},
        "methods": dict(verdicts.methods.most_common()),
        "unknown_kinds": {kind: [count, verdicts.kinds[kind]] for kind, count in verdicts.unknown_kinds.most_common()},
        "median_milliseconds": 1000 * sorted(verdicts.seconds)[len(verdicts.seconds) // 2],
        "processor_milliseconds": 1000 * sum(verdicts.processor_seconds) / len(verdicts.seconds),
    }


def _judged_part(part: tuple[str, int]) -> tuple[PlantedVerdicts, PlantedVerdicts]:
    return judged(planted_faults(*part), part[0]), judged(planted_rewrites(*part), part[0])


def judged(pairs: Iterable[PlantedPair], seed: str) -> PlantedVerdicts:
    """Judge the pairs of a seed, ask cvc5 what z3 decided, and count the verdicts."""
    verdicts = PlantedVerdicts(seed)
    begun = _processor_seconds()
    for pair in pairs:
        left, right = read_candidate(pair.left), read_candidate(pair.right)
        parameters = [() if side.program is None else side.program.parameters for side in (left, right)]
        alignments = align(parameters[0], parameters[1], pair.similarity)
        solved: list[tuple[Comparison, SmtResult]] = []
        judge = EquivalenceJudge(pair.left.problem_id, on_solved=partial(_keep, solved))
        started = time.perf_counter()
        verdict = judge.judge(left, right, alignments)
        verdicts.add(pair, verdict, time.perf_counter() - started)
        for comparison, result in solved:
            verdicts.add_second_answer(pair, result, comparison)
    verdicts.processor_seconds.append(_processor_seconds() - begun)
    return verdicts


def _keep(solved: list[tuple[Comparison, SmtResult]], comparison: Comparison, result: SmtResult) -> None:
    solved.append((comparison, result))


def _processor_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _reason(verdict: Verdict) -> str:
    """Return why a verdict is UNKNOWN, without the numbers of the pair."""
    return (verdict.reason or "none").rpartition("; ")[2].partition(" (line")[0][:90]


def _cause(verdict: Verdict) -> str:
    """Return why a verdict is UNKNOWN: a construct that the language refuses, a step that hangs on the digits of a float, or no proof."""
    reason = verdict.reason or ""
    return "refused" if reason.startswith(("left: ", "right: ")) else "in_floats" if "float" in reason else "unproved"


def main() -> int:
    """Measure with several processes and print the section."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soundness", description=__doc__)
    parser.add_argument("--processes", type=int, default=2, help="processes that share the parts")
    parser.add_argument("--count", type=int, default=COUNT, help="pairs of each kind")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the pairs")
    options = parser.parse_args()
    print(json.dumps(figures(options.seed, options.count, options.processes), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
