"""Constraint problems: a question in plain language, an SMT-LIB2 program and the answer that it entails, their tables, and the records of their clauses."""

import csv
import io
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.store.run_folder import dump, write_lines

GENERATED = "generated"
"""The source of a problem that a domain made; what a model wrote has `llm:PROVIDER:MODEL`."""
NOTHING_SAID = "nothing-said"
"""The method of the verdict on a claim that the record of a problem does not make."""
COLUMNS = ("problem", "reasoning", "program")
"""The columns of a table of them."""


@dataclass(frozen=True, slots=True)
class ConstraintProblem:
    """A problem in plain language with its SMT-LIB2 program."""

    id: str
    """The domain and a number."""
    domain: str
    """The domain that made it."""
    problem: str
    """The question."""
    reasoning: tuple[str, ...]
    """The steps to the answer."""
    program: str
    """The program, which declares a constant `answer` and ties it to what is asked."""
    gold: str | None = None
    """The value of `answer`, a literal of SMT-LIB2; null where none is known or there is none."""
    satisfiable: bool | None = None
    """Whether the program can be satisfied; null if it is not known."""
    unique: bool | None = None
    """Whether there is only one answer; null if it is not known."""
    source: str = GENERATED
    """`generated`, or `llm:PROVIDER:MODEL` for what a model wrote."""
    seed: int | None = None
    """The seed of the draw."""
    stated: tuple[str, ...] = ()
    """For each assertion of the program the words that state it, empty for what holds in every case and for the answer; nothing where this is not known."""


def table(records: Iterable[Mapping[str, Any]], columns: Sequence[str] = COLUMNS) -> Iterator[str]:
    """Yield the lines of a table of records, without their ends; the steps of reasoning are lines of one cell, other lists and objects JSON."""
    rows = ([_cell(name, record.get(name)) for name in columns] for record in records)
    for row in itertools.chain([columns], rows):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(row)
        yield text.getvalue().removesuffix("\n")


def write_files(folder: Path, files: Mapping[str, Iterable[Any]]) -> None:
    """Write files of a folder, each whole or not at all: of texts as lines, of records as JSON lines."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, entries in files.items():
        write_lines(folder / name, (f"{entry if isinstance(entry, str) else dump(entry)}\n" for entry in entries))


def _cell(name: str, value: Any) -> Any:
    if isinstance(value, list) and name == "reasoning":
        return "\n".join(map(str, value))
    if isinstance(value, bool | list | dict):
        return dump(value)
    return value.replace("\x00", "\ufffd") if isinstance(value, str) else value  # NUL, which not all readers accept


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseRecord:
    """A clause of a problem in plain language."""

    text: str
    """Its words."""
    asks: bool
    """Whether it asks and states nothing."""
    option: bool
    """Whether it is an answer option."""
    assertions: tuple[str, ...] = ()
    """The terms that the program asserts for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseAlignmentRecord:
    """The clauses of a problem beside the assertions of its program, aligned by names and numbers: a hint, not a proof."""

    id: str
    """The problem."""
    clauses: tuple[ClauseRecord, ...]
    """The clauses in their order."""
    unaligned: tuple[str, ...]
    """The terms that the program asserts for no clause."""
    unstated: tuple[str, ...]
    """The words of the clauses that should be stated and are not."""
