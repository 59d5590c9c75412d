"""Benchmark of constraint program repair: broken programs restored, other notations read, and lost meanings left or doubted.

The cases of `smt_repair_cases.jsonl` are a text and the program that it means, or null where the text does not say what was meant.
"""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from generators.constraints.error_injection import WAYS, break_program, broken
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.repair.program_repair import repair
from harness.corpora.problems import read_records
from harness.domain import Status
from harness.smtlib.script import read_script
from oracles.constraints.equivalence import equivalent
from oracles.constraints.validation import ValidationCase, validate_all
from tests.harness.smtlib.random_scripts import draw_program

PROBLEMS, DRAWN, SEED = 10, 60, 23
"""Problems of each domain and size, and programs drawn by chance, which hold what the domains do not."""
DEDUCTION = "smt/logical_deduction.jsonl.gz"
CASES = Path(__file__).with_name("smt_repair_cases.jsonl")


def measure(data: Path) -> dict[str, Any]:
    """Break, repair and compare; what both solvers accept is not broken and is left out."""
    own = [
        problem.program
        for domain in DOMAINS
        for size in (ProblemSize.SMALL, ProblemSize.MEDIUM)
        for problem in domain.problems(PROBLEMS, seed=SEED, size=size)
    ]
    programs = own + [draw_program(Random(f"{SEED}:{number}")) for number in range(DRAWN)]
    listed = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    lost = [repair(case["text"]) for case in listed if case["meant"] is None]
    several = _together(programs, 3)
    start = time.process_time()
    for _, text in several:
        repair(text)
    took = 1000 * (time.process_time() - start) / len(several)
    return {
        "one way": _outcomes(_singly(programs)),
        "two ways at once": _outcomes(_together(programs, 2)),
        "three ways at once": _outcomes(several),
        "other notations": _outcomes([(case["meant"], case["text"]) for case in listed if case["meant"] is not None]),
        "lost meanings": {
            "texts": len(lost),
            "repaired for certain": sum(bool(not found.faults_left and found.certain) for found in lost),
        },
        "milliseconds": round(took, 1),
        "models": _deductions(data),
    }


def _singly(programs: Sequence[str]) -> list[tuple[str, str]]:
    texts = (
        (program, broken(program, way, Random(f"{SEED}:{number}:{way}")))
        for number, program in enumerate(programs)
        for way in WAYS
    )
    return [(program, text) for program, text in texts if text is not None and not read_script(text).valid]


def _together(programs: Sequence[str], count: int) -> list[tuple[str, str]]:
    found = ((program, break_program(program, count, f"{SEED}:{number}")) for number, program in enumerate(programs))
    return [(program, broken.program) for program, broken in found if broken is not None]


def _outcomes(cases: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Count what became of broken programs: equivalence is proved both ways by z3 and by cvc5."""
    repaired = [(program, repair(text)) for program, text in cases]
    changed = [(program, found) for program, found in repaired if found.edits or found.faults_left]
    verdicts = [equivalent(program, found.program) for program, found in changed]
    counts = dict.fromkeys(("broken", "equivalent", "doubted", "left", "undecided", "silent"), 0)
    for (_, found), verdict in zip(changed, verdicts, strict=True):
        counts["broken"] += 1
        if found.faults_left:
            counts["left"] += 1
        elif verdict.status is Status.CONFIRMED:
            counts["equivalent"] += 1
        elif not found.certain:
            counts["doubted"] += 1
        else:
            counts["silent" if verdict.status is Status.REFUTED else "undecided"] += 1
    return counts


def _deductions(data: Path) -> dict[str, Any]:
    """Return how many programs of three language models both solvers read after repair, and what becomes of them broken in three ways."""
    if not (data / DEDUCTION).is_file():
        return {}
    records = [record for _, record in read_records(data / DEDUCTION) if isinstance(record, dict)]
    programs = [repair(record["smtlib"]).program for record in records]
    cases = [ValidationCase(str(number), program) for number, program in enumerate(programs)]
    return {
        "programs": len(programs),
        "valid": sum(found.valid is True for found in validate_all(cases)),
        "broken in three ways": _outcomes(_together(programs, 3)),
    }
