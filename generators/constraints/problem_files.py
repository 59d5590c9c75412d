"""Output files of constraint problems: one CSV table per domain, and all problems as JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.json_form import json_form
from harness.smtlib.constraint_problem import ConstraintProblem, table
from harness.store.run_folder import dump, write_lines

RECORDS = "problems.jsonl"


def write_problems(folder: Path, problems: Sequence[ConstraintProblem]) -> None:
    """Write `DOMAIN.csv`, whose steps of reasoning are lines of one cell, and `problems.jsonl`, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    for domain in sorted({problem.domain for problem in problems}):
        write_lines(
            folder / f"{domain}.csv", table(json_form(problem) for problem in problems if problem.domain == domain)
        )
    write_lines(folder / RECORDS, (f"{dump(json_form(problem))}\n" for problem in problems))
