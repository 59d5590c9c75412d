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
    verdicts = equivalences([(case.program, one.program) for case, one in zip(cases, repaired, strict=True)])
    outcomes = []
    for case, one, verdict in zip(cases, repaired, verdicts, strict=True):
        if trap:
            outcomes.append("left" if one.faults_left else "silent" if one.certain else "marked")
        else:
            outcomes.append(outcome(case, one, verdict))
    return outcomes


def measure(_data: Path) -> str:
    """Break, repair and compare; return the figures as Markdown."""
    known = programs()
    lines = [
        "| programs | broken | equivalent | something else or lost, and said so | not repaired | undecided | **silently** |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    worst: dict[str, list[str]] = {}
    for label, families, trap in (("a mistake", FAMILIES, False), ("the meaning lost or taken back", TRAPS, True)):
        cases = list(mistaken(families, known))
        outcomes = judged(cases, trap=trap)
        counts: Counter[str] = Counter(outcomes)
        cells: list[Any] = [counts[name] or "·" for name in ("proved", "marked", "left", "undecided", "silent")]
        if counts["proved"]:
            cells[0] = f"{counts['proved']} ({counts['proved'] / len(cases):.1%})"
        lines.append(f"| {label} | {len(cases)} | {' | '.join(map(str, cells))} |")
        bad = {"silent"} if trap else {"silent", "left", "marked", "undecided"}
        worst[label] = sorted({case.ways[0] for case, one in zip(cases, outcomes, strict=True) if one in bad})
    about = (
        f"{len(known)} programs, {EACH} of them broken by each of {len(FAMILIES)} families of mistakes and {len(TRAPS)} in which the meaning is lost or taken back. The families were written "
        "after the repairs, which were changed for classes of them after the first measurement. A trap is *silent* where the repair is certain, whatever it says."
    )
    listed = [f"{label}, not or not always equivalent: {', '.join(names)}." for label, names in worst.items() if names]
    return "\n\n".join(
        [
            "## Repair of mistakes that were not seen",
            "    python -m benchmarks smt_unseen",
            about,
            "\n".join(lines),
            *listed,
        ]
    )
