"""Reading files of items and of their twins; each item has a name under which its scores are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from sft.samples.solution_text import read_item
from sft.verifier.model_scores import Twin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sft.samples.items import Item

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class NamedItem:
    """An item and its name: its `sample_id`, otherwise the number of its line."""

    sample_id: str
    item: Item


def read_named(path: Path) -> Iterator[NamedItem]:
    """Yield the items of a file of `{"question", "solution"}`, in order.

    Raises:
        HarnessError: the file cannot be read, or a line has no question or no solution.
    """
    for number, record in read_records(path):
        question, solution = (
            (record.get("question"), record.get("solution")) if isinstance(record, dict) else (None, None)
        )
        if not isinstance(question, str) or not isinstance(solution, str):
            message = f"{path}:{number}: expected texts in 'question' and 'solution', found {str(record)[:60]!r}"
            raise HarnessError(message)
        yield NamedItem(str(record.get("sample_id", number))[:LONGEST_NAME], read_item(question, solution))


def read_twins(path: Path) -> dict[str, tuple[Twin, ...]]:
    """Return the twins by the name of their item, as `oracle-factory twins` wrote them.

    Raises:
        HarnessError: the file cannot be read, or a line holds no twins.
    """
    twins_of: dict[str, tuple[Twin, ...]] = {}
    for number, record in read_records(path):
        try:
            twins_of[record["sample_id"]] = tuple(read_record(Twin, twin) for twin in record["twins"])
        except (KeyError, TypeError, MalformedRecordError) as error:
            raise HarnessError(
                f"{path}:{number}: expected twins of solutions, found {error}; make them: {runnable('oracle-factory twins FILE FILE')}"
            ) from None
    return twins_of
