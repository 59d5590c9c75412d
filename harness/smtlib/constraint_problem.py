"""A constraint problem: a question in plain language, an SMT-LIB2 program and the answer that it entails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.store.csv_tables import csv_lines
from harness.store.run_folder import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

GENERATED = "generated"
"""The source of a problem that a domain made; what a model wrote has `llm:PROVIDER:MODEL`."""
COLUMNS = ("problem", "reasoning", "program")
"""The columns of a table of them."""


@dataclass(frozen=True, slots=True)
class ConstraintProblem:
    """A problem with its question, the steps of reasoning, and its program.

    A program declares a constant `answer` and ties it to what is asked. `gold` is its value, a literal of SMT-LIB2, `None`
    where none is known or there is none; `satisfiable` and `unique` are `None` where nobody knows.
    """

    id: str
    domain: str
    problem: str
    reasoning: tuple[str, ...]
    program: str
    gold: str | None = None
    satisfiable: bool | None = None
    unique: bool | None = None
    source: str = GENERATED
    seed: int | None = None

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "id": self.id,
            "domain": self.domain,
            "problem": self.problem,
            "reasoning": list(self.reasoning),
            "program": self.program,
            "gold": self.gold,
            "satisfiable": self.satisfiable,
            "unique": self.unique,
            "source": self.source,
            "seed": self.seed,
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> ConstraintProblem:
        """Return the problem of a JSON form that `record` gave.

        Raises:
            KeyError, TypeError: it is no such form.
        """
        return cls(**{**record, "reasoning": tuple(record["reasoning"])})


def table(records: Iterable[Mapping[str, Any]], columns: Sequence[str] = COLUMNS) -> Iterator[str]:
    """Yield the lines of a table of records; the steps of reasoning are lines of one cell, other lists and objects JSON."""
    return csv_lines(columns, ([_cell(name, record.get(name)) for name in columns] for record in records))


def _cell(name: str, value: Any) -> Any:
    if isinstance(value, list) and name == "reasoning":
        return "\n".join(map(str, value))
    return dump(value) if isinstance(value, list | dict) else value
