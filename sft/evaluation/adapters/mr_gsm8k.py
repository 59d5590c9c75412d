"""The MR-GSM8K format: steps, the correctness of the solution, and the number of the first wrong step, from 1."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import LONGEST_TEXT
from sft.evaluation.benchmark_files import (
    UnreadableRecord,
    adapter,
    name_of,
    optional_text,
    sample_of,
    stated_line,
    steps_of,
    text_of,
)
from sft.samples.items import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sft.samples.items import Sample

NOT_APPLICABLE = {"", "N/A", "NA", "NONE"}
_CORRECT = {"correct": True, "wrong": False, "incorrect": False, "true": True, "false": False}


@adapter("mr-gsm8k", "question", "model_output_steps", "model_output_solution_correctness")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """`{uuid, question, model_output_steps, model_output_solution_correctness, model_output_solution_first_error_step, …}`.

    The first wrong step counts from 1 and is `N/A` where there is none; steps are a list, in CSV the text of one.
    Source: github.com/dvlab-research/MR-GSM8K, README.
    """
    steps = _steps(record)
    correctness = record["model_output_solution_correctness"]
    correct = _CORRECT.get(str(correctness).strip().lower())
    if correct is None:
        raise UnreadableRecord(
            f"expected 'correct' or 'wrong' in 'model_output_solution_correctness', found {str(correctness)[:60]!r}"
        )
    truth = Truth(flawed=False)
    if not correct:
        key = "model_output_solution_first_error_step"
        value, line = record.get(key), ""
        if value is not None and str(value).strip().upper() not in NOT_APPLICABLE:
            line = stated_line(steps, value, key, first=1)
        reason = optional_text(record, "model_output_solution_first_error_reason")
        truth = Truth(flawed=True, line=line, explanation="" if reason.strip().upper() in NOT_APPLICABLE else reason)
    yield sample_of(
        name_of(record, "uuid", name),
        text_of(record, "question"),
        "\n".join(steps),
        truth,
        source="mr-gsm8k",
        licence="Apache-2.0",
        operator=name_of(record, "question_type", ""),
    )


def _steps(record: Mapping[str, Any]) -> list[str]:
    """Return the steps of a list, of the text of a list, or of lines."""
    steps = record["model_output_steps"]
    if isinstance(steps, str) and len(steps) <= LONGEST_TEXT:
        written: Any = steps.split("\n")
        if steps.lstrip().startswith("["):
            try:
                written = ast.literal_eval(steps.strip())  # literals only: nothing is evaluated
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                written = steps.split("\n")
        steps = [step for step in written if step.strip()] if _texts(written) else written
    return steps_of({"model_output_steps": steps}, "model_output_steps")


def _texts(written: Any) -> bool:
    return isinstance(written, list) and all(isinstance(step, str) for step in written)
