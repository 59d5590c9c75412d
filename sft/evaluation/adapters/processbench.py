"""The ProcessBench format: steps, and the index of the first wrong step, from 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sft.evaluation.benchmark_files import (
    UnreadableRecord,
    adapter,
    name_of,
    sample_of,
    stated_line,
    steps_of,
    text_of,
)
from sft.samples.items import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sft.samples.items import Sample


@adapter("processbench", "problem", "steps", "label", "final_answer_correct")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """`{id, generator, problem, steps, final_answer_correct, label}`: `label` is the first wrong step from 0, or -1.

    Source: huggingface.co/datasets/Qwen/ProcessBench, README.
    """
    steps, label = steps_of(record, "steps"), record.get("label")
    if isinstance(label, bool) or not isinstance(label, int):
        raise UnreadableRecord(f"expected -1 or the zero-based first wrong step in 'label', found {label!r}"[:200])
    truth = Truth(flawed=False)
    if label != -1:
        truth = Truth(flawed=True, line=stated_line(steps, label, "label", first=0))
    yield sample_of(
        name_of(record, "id", name),
        text_of(record, "problem"),
        "\n".join(steps),
        truth,
        source="processbench",
        licence="Apache-2.0",
        operator=name_of(record, "generator", ""),
    )
