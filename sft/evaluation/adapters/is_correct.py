"""Solutions of which only the correctness of the final answer is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sft.evaluation.benchmark_files import UnreadableRecord, adapter, name_of, sample_of, text_of
from sft.samples.items import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sft.samples.items import Sample


@adapter("is-correct", "question", "solution", "is_correct")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """`{question, solution, is_correct}`: flawed where the final answer is wrong; no class and no line is known."""
    correct = record["is_correct"]
    if not isinstance(correct, bool):
        raise UnreadableRecord(f"expected true or false in 'is_correct', found {str(correct)[:60]!r}")
    yield sample_of(
        name,
        text_of(record, "question"),
        text_of(record, "solution"),
        Truth(flawed=not correct),
        source="is-correct",
        licence="as the file's",
        problem_id=name_of(record, "problem_id", ""),
        operator=name_of(record, "model", ""),
    )
