"""The files of generated problems: a table for each domain, and all problems as JSON lines."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.json_form import json_form
from harness.records.constraint import ConstraintProblem, table, write_files

RECORDS = "problems.jsonl"
ORIGINAL_NAMES = {"resources": "resource_alloc"}
"""The names that tables have in the original pipeline, beside ours."""


def domain_tables(problems: Sequence[ConstraintProblem]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each table, `DOMAIN.csv`, and its lines; steps of reasoning are lines of one cell."""
    for domain in sorted({problem.domain for problem in problems}):
        lines = list(table(json_form(problem) for problem in problems if problem.domain == domain))
        for name in dict.fromkeys((domain, ORIGINAL_NAMES.get(domain, domain))):
            yield f"{name}.csv", lines


def write_problems(folder: Path, problems: Sequence[ConstraintProblem]) -> None:
    """Write the tables of `domain_tables` and `problems.jsonl`, each whole or not at all."""
    write_files(folder, {**dict(domain_tables(problems)), RECORDS: map(json_form, problems)})
