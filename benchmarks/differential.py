"""Benchmark of the program language: generated programs, whose meaning here is compared with Python's."""

import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from tests.harness.program.differential.comparison import (
    AGREED,
    DIFFERENT,
    REFUSED,
    ROUNDING,
    STOPPED,
    Comparison,
    compared,
)
from tests.harness.program.differential.generated_programs import generated_program
from tests.harness.program.differential.python_process import PythonProcess

COUNT = 200_000
BATCH = 400
SEED = 2
MOST_SHOWN = 5


def measure(_: Path, count: int = COUNT) -> dict[str, Any]:
    """Compare 200,000 programs: same value and type or same exception, refused here, or different, with the first that differ."""
    started = time.process_time()
    statuses, answers, reasons = Counter[str](), Counter[str](), Counter[str]()
    different: list[Comparison] = []
    with PythonProcess() as process:
        for start in range(0, count, BATCH):
            places = range(start, min(start + BATCH, count))
            programs = (generated_program(SEED * 10**9 + place) for place in places)
            for comparison in compared(programs, process, Random(f"{SEED}:{start}")):
                statuses[comparison.status] += 1
                if comparison.status == REFUSED:
                    reasons[comparison.ours[1]] += 1
                elif comparison.status == AGREED:
                    answers["exceptions" if comparison.python[0] == "error" else comparison.python[0]] += 1
                elif comparison.status == DIFFERENT:
                    different.append(comparison)
    return {
        "programs": count,
        "same": statuses[AGREED],
        "same_but_for_float_rounding": statuses[ROUNDING],
        "stopped_in_python": statuses[STOPPED],
        "refused": statuses[REFUSED],
        "different": statuses[DIFFERENT],
        "answers": dict(answers.most_common()),
        "refusals": dict(reasons.most_common()),
        "shown": [difference.code for difference in different[:MOST_SHOWN]],
        "milliseconds_a_program": 1000 * (time.process_time() - started) / count,
    }
