"""Benchmark of constraint program repair on mistakes of models, and on programs whose meaning is lost."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from benchmarks.smt_repair import RepairCase, judged, table, total
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from tests.generators.constraints.repair.mistakes_of_models import FAMILIES, TRAPS, mistake_of, mixed_mistakes
from tests.harness.smtlib.random_scripts import draw_program

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

SEED, PROBLEMS, DRAWN, EACH = 29, 20, 60, 4
"""Problems of each domain and size, programs drawn by chance, and mistakes of each program."""


def measure(_data: Path) -> str:
    """Break, repair and compare; return the figures as Markdown."""
    programs = [
        problem.program
        for domain in DOMAINS
        for size in (ProblemSize.SMALL, ProblemSize.MEDIUM)
        for problem in domain.problems(PROBLEMS, seed=SEED, size=size)
    ]
    programs += [draw_program(Random(f"{SEED}:{number}")).program for number in range(DRAWN)]
    rows = {
        "a mistake of models": total(judged(_mistaken(programs, FAMILIES))),
        "two or three of them": total(judged(_mixed(programs))),
        "the meaning lost": total(judged(_mistaken(programs, TRAPS))),
    }
    said = (
        f"{len(programs):,} programs of the domains and drawn by chance, {EACH} mistakes drawn for each: {len(FAMILIES)} families of other languages, answers with "
        f"prose and forms that are nearly right, and {len(TRAPS)} in which the meaning is lost, so that a repair should say that it may be another program. The "
        "families were written without regard to the repairs, which were then changed for them: others will do worse."
    )
    return "\n\n".join(
        [
            "## Repair of mistakes of models",
            "    python -m benchmarks smt_mistakes",
            said,
            table("programs", rows),
        ]
    )


def _mistaken(programs: Sequence[str], names: Iterable[str]) -> list[RepairCase]:
    known, cases = sorted(names), []
    for number, program in enumerate(programs):
        random = Random(f"{SEED}:{number}:mistake")
        for name in random.sample(known, EACH):
            text = mistake_of(name, program, random)
            if text is not None:
                cases.append(RepairCase(program, text, (name,)))
    return cases


def _mixed(programs: Sequence[str]) -> list[RepairCase]:
    drawn = [
        (program, mixed_mistakes(program, Random(f"{SEED}:{number}:mistakes"), 2 + number % 2))
        for number, program in enumerate(programs)
    ]
    return [RepairCase(program, *text) for program, text in drawn if text is not None]
