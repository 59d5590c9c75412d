"""Benchmark of the program language: generated programs, whose meaning here is compared with Python's."""

from __future__ import annotations

import time
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from tests.harness.program.differential.comparison import AGREED, DIFFERENT, REFUSED, ROUNDING, STOPPED, compared
from tests.harness.program.differential.generated_programs import generated_program
from tests.harness.program.differential.python_process import PythonProcess
from tests.harness.program.differential.reduction import reduced_difference

if TYPE_CHECKING:
    from pathlib import Path

    from tests.harness.program.differential.comparison import Comparison

COUNT = 200_000
BATCH = 400
SEED = 2
MOST_REASONS = 12
MOST_SHOWN = 5


def measure(_: Path, count: int = COUNT) -> str:
    """Compare 200,000 programs and return what came of them as Markdown, with the first programs that differ."""
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
        shown = [f"```python\n{reduced_difference(difference, process)}\n```" for difference in different[:MOST_SHOWN]]
    seconds = time.process_time() - started
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in answers.most_common(MOST_REASONS))
    refusals = ", ".join(f"{number:,} {reason}" for reason, number in reasons.most_common(MOST_REASONS))
    rows = [
        f"| programs | {count:,} |",
        f"| same value and type, or same exception | {statuses[AGREED]:,}: {kinds} |",
        f"| same with exact numbers in Python, parted by the rounding of floats | {statuses[ROUNDING]:,} |",
        f"| stopped in Python by the limit of time or memory | {statuses[STOPPED]:,} |",
        f"| refused here | {statuses[REFUSED]:,}: {refusals} |",
        f"| **different** | {statuses[DIFFERENT]:,} |",
        f"| processor time here, without Python's | {seconds / count * 1000:.2f} ms a program |",
    ]
    head = [
        "## The language against Python",
        "",
        "    python -m benchmarks differential",
        "",
        "| what | figure |",
        "|---|---|",
    ]
    return "\n".join([*head, *rows, *shown])
