"""How do constraint problems stand in CSV, as users of such pipelines expect them?"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from harness.constraint_problem import ConstraintProblem

PROBLEM = ("problem", "reasoning", "program")


def columns_of(problem: ConstraintProblem) -> dict[str, str]:
    """Return the three columns of a problem; the steps of reasoning are lines."""
    return {"problem": problem.problem, "reasoning": "\n".join(problem.reasoning), "program": problem.program}


def table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the head and the rows of a table, without their ends; truth values are `true` and `false`, what is not known is empty."""
    yield _line(columns)
    for row in rows:
        yield _line([_cell(row.get(column)) for column in columns])


def _line(cells: Sequence[str]) -> str:
    stream = io.StringIO()
    # Cells that hold an end of a line are quoted by csv only where lines end in one.
    csv.writer(stream, lineterminator="\n").writerow(cells)
    return stream.getvalue().removesuffix("\n")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
