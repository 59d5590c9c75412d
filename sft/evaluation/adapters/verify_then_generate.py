"""The verify-then-generate format: steps of a student model, and the first wrong one by a teacher, from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sft.evaluation.benchmark_files import (
    adapter,
    class_named,
    name_of,
    optional_text,
    sample_of,
    stated_line,
    steps_of,
    text_of,
    with_answer,
)
from sft.samples.items import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sft.samples.items import Sample


@adapter("verify-then-generate", "problem", "steps", "first_error_step")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """`{id, problem, steps, first_error_step, error_type, explanation, …}`: the first wrong step counts from 1.

    A last step that is a bare number is the final answer. Source: eth-lre/verify-then-generate, CC BY 4.0.
    """
    steps = with_answer(steps_of(record, "steps"))
    gold = optional_text(record, "gold_solution").strip()
    first = record["first_error_step"]
    truth = Truth(flawed=False)
    if first is not None:
        line = stated_line(steps, first, "first_error_step", first=1)
        named = record.get("error_type")
        error_class = None if named is None else class_named(named, "error_type")
        truth = Truth(flawed=True, error_class=error_class, line=line, explanation=optional_text(record, "explanation"))
    yield sample_of(
        name_of(record, "id", name),
        text_of(record, "problem"),
        "\n".join(steps),
        truth,
        source="verify-then-generate",
        licence="CC-BY-4.0",
        reference="\n".join(with_answer(gold.split("\n"))) if gold else "",
    )
