"""Solutions of which only the class is known: correct, computational error or conceptual error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sft.evaluation.benchmark_files import adapter, class_named, name_of, sample_of, text_of
from sft.samples.items import Truth
from sft.samples.outcomes import RIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sft.samples.items import Sample


@adapter("examination", "question", "solution", "error_type")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """`{question, solution, error_type}`, the last one of correct, computational_error, conceptual_error."""
    named = record["error_type"]
    truth = Truth(flawed=False) if named == RIGHT else Truth(flawed=True, error_class=class_named(named, "error_type"))
    yield sample_of(
        name,
        text_of(record, "question"),
        text_of(record, "solution"),
        truth,
        source="examination",
        licence="as the file's",
        problem_id=name_of(record, "problem_id", ""),
    )
