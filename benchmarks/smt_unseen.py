"""Benchmark of constraint program repair on mistakes that were written after the repairs.

`python -m benchmarks smt_unseen` measures them. At their first measurement no repair knew them (RESULTS has those figures); repairs
were changed for classes of them since, so that the figures of a later run say less of texts that nobody has seen.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.smt_repair import RepairCase, outcome
from benchmarks.smt_unseen_mistakes import FAMILIES, TRAPS
from benchmarks.unseen_mistakes.fifth_set import MISTAKES as FIFTH, TRAPS as FIFTH_TRAPS
from benchmarks.unseen_mistakes.fourth_set import MISTAKES as FOURTH, TRAPS as FOURTH_TRAPS
from benchmarks.unseen_mistakes.second_formulas import FORMULAS
from benchmarks.unseen_mistakes.second_parts import PARTS
from benchmarks.unseen_mistakes.second_traps import TRAPS as SECOND_TRAPS
from benchmarks.unseen_mistakes.second_wrappers import WRAPPERS
from benchmarks.unseen_mistakes.seventh_set import MISTAKES as SEVENTH, TRAPS as SEVENTH_TRAPS
from benchmarks.unseen_mistakes.sixth_set import MISTAKES as SIXTH, TRAPS as SIXTH_TRAPS
from benchmarks.unseen_mistakes.third_set import MISTAKES, TRAPS as THIRD_TRAPS
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.repair.program_repair import repair
from harness.smtlib.script import read_script
from oracles.constraints.equivalence import equivalences
from tests.harness.smtlib.random_scripts import draw_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    Mistake = Callable[[str, Random], str | None]

SEED, PROBLEMS, DRAWN, EACH = 20261, 12, 40, 4
"""Problems of each domain and size, programs drawn by chance, and programs broken by each mistake."""


def programs() -> list[str]:
    """Return the programs that are broken."""
    own = [
        problem.program
        for domain in DOMAINS
        for size in (ProblemSize.SMALL, ProblemSize.MEDIUM)
        for problem in domain.problems(PROBLEMS, seed=SEED, size=size)
    ]
    return own + [draw_program(Random(f"{SEED}:{number}")).program for number in range(DRAWN)]


def mistaken(families: dict[str, Mistake], known: Sequence[str]) -> Iterator[RepairCase]:
    """Yield `EACH` programs with each mistake, drawn by chance from those that it breaks."""
    for name in sorted(families):
        random, count = Random(f"{SEED}:{name}"), 0
        for program in random.sample(known, len(known)):
            text = families[name](program, random)
            if text is None or text.split() == program.split() or read_script(text).valid:
                continue
            yield RepairCase(program, text, (name,))
            count += 1
            if count == EACH:
                break


def judged(cases: Sequence[RepairCase], *, trap: bool) -> list[str]:
    """Return the outcome of each repair; that of a trap is `silent` where it is certain, whatever it says."""
    repaired = [repair(case.text) for case in cases]
    verdicts = equivalences([(case.program, mended.program) for case, mended in zip(cases, repaired, strict=True)])
    outcomes = []
    for case, mended, verdict in zip(cases, repaired, verdicts, strict=True):
        if trap:
            outcomes.append("left" if mended.faults_left else "silent" if mended.certain else "marked")
        else:
            outcomes.append(outcome(case, mended, verdict))
    return outcomes


SETS: dict[str, tuple[dict[str, Mistake], dict[str, Mistake]]] = {
    "The first set": (FAMILIES, TRAPS),
    "The second set": (FORMULAS | PARTS | WRAPPERS, SECOND_TRAPS),
    "The third set": (MISTAKES, THIRD_TRAPS),
    "The fourth set": (FOURTH, FOURTH_TRAPS),
    "The fifth set": (FIFTH, FIFTH_TRAPS),
    "The sixth set": (SIXTH, SIXTH_TRAPS),
    "The seventh set": (SEVENTH, SEVENTH_TRAPS),
}
"""The families of mistakes and of traps of each set."""


def measure(_data: Path) -> str:
    """Break, repair and compare; return the figures as Markdown."""
    known = programs()
    parts = ["## Repair of mistakes that were not seen", "    python -m benchmarks smt_unseen"]
    parts.append(
        f"{len(known)} programs, {EACH} of them broken by each family of mistakes and each in which the meaning is lost or taken back. Each set was written after the repairs; those "
        "were changed for classes of it after its first measurement (of the third, at commit 579f84f9: 46 of 136 mistakes equivalent, 2 of 64 traps silent; of the fourth, at commit 755fbbdb: 72 of 128 equivalent, 0 silent, 5 of 48 traps silent; of the fifth, at commit eb70d525, by this command there: 65 of 132 equivalent, 1 silent, 0 of 52 traps silent; of the sixth, which a language model wrote that had not seen the repairs, at commit 42c74530: 177 of 224 equivalent, 0 silent, 4 of 64 traps silent; of the seventh, written in the same way, at commit 650efcaa: 143 of 204 equivalent, 3 silent, 2 of 68 traps silent). A trap is *silent* where the repair is certain, whatever it says."
    )
    for name, (families, traps) in SETS.items():
        parts += _measured(name, families, traps, known)
    return "\n\n".join(parts)


def _measured(name: str, families: dict[str, Mistake], traps: dict[str, Mistake], known: Sequence[str]) -> list[str]:
    lines = [
        "| programs | broken | equivalent | something else or lost, and said so | not repaired | undecided | **silently** |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    worst: dict[str, Counter[str]] = {}
    for label, mistakes, trap in (("a mistake", families, False), ("the meaning lost or taken back", traps, True)):
        cases = list(mistaken(mistakes, known))
        outcomes = judged(cases, trap=trap)
        counts: Counter[str] = Counter(outcomes)
        cells: list[Any] = [counts[outcome] or "·" for outcome in ("proved", "marked", "left", "undecided", "silent")]
        if counts["proved"]:
            cells[0] = f"{counts['proved']} ({counts['proved'] / len(cases):.1%})"
        lines.append(f"| {label} | {len(cases)} | {' | '.join(map(str, cells))} |")
        bad = {"silent"} if trap else {"silent", "left", "marked", "undecided"}
        worst[label] = Counter(case.ways[0] for case, result in zip(cases, outcomes, strict=True) if result in bad)
    listed = [
        f"{label}, not equivalent: {', '.join(f'{family} {number}' for family, number in sorted(counts.items()))}."
        for label, counts in worst.items()
        if counts
    ]
    return [f"**{name}**, {len(families)} families of mistakes and {len(traps)} of traps:", "\n".join(lines), *listed]
