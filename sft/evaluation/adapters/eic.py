"""The EIC-Math format: a solution, and the same solution with an error inserted into one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.solution.labels import ErrorClass, ErrorType
from sft.evaluation.benchmark_files import (
    adapter,
    name_of,
    optional_text,
    sample_of,
    stated_line,
    text_of,
)
from sft.samples.items import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sft.samples.items import Sample

CONCEPTUAL = ErrorClass.CONCEPTUAL
TYPES: Mapping[str, tuple[ErrorClass, str]] = {
    "calculation error": (ErrorClass.COMPUTATIONAL, str(ErrorType.COMPUTATIONAL)),
    "counting error": (CONCEPTUAL, ""),
    "context value error": (CONCEPTUAL, str(ErrorType.INPUT_MISREPRESENTATION)),
    "hallucination": (CONCEPTUAL, str(ErrorType.INPUT_MISREPRESENTATION)),
    "unit conversion error": (CONCEPTUAL, str(ErrorType.UNIT_CONVERSION)),
    "operator error": (CONCEPTUAL, str(ErrorType.OPERATOR_SWAP)),
    "formula confusion error": (CONCEPTUAL, str(ErrorType.WRONG_FORMULA)),
    "missing step": (ErrorClass.SKIPPED_STEP, str(ErrorType.SKIPPED_STEP)),
    "contradictory step": (CONCEPTUAL, ""),
}
"""The nine types of the paper, each with its class and, if there is one, its type of our taxonomy."""


@adapter("eic", "question", "original_solution", "transformed_solution")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """`{question, original_solution, transformed_solution, wrong_step, error_type, …}`: two samples, the first correct.

    `wrong_step` counts lines from 1. Source: Li et al., arXiv 2406.00755, and github.com/LittleCirc1e/EIC; whether a
    release counts otherwise is to be checked on its first record.
    """
    question, base = text_of(record, "question"), name_of(record, "id", name)
    about = {"source": "eic", "licence": "see the authors'", "problem_id": f"q:{question.strip()[:200]}"}
    yield sample_of(f"{base}:original", question, text_of(record, "original_solution"), Truth(flawed=False), **about)
    solution = text_of(record, "transformed_solution")
    lines = [line for line in solution.split("\n") if line.strip()]
    named = optional_text(record, "error_type").strip().lower().replace("_", " ")
    error_class, error_type = TYPES.get(named, TYPES.get(f"{named} error", (None, "")))
    step, line = record.get("wrong_step"), ""
    if step is not None and step != "":
        line = stated_line(lines, step, "wrong_step", first=1)
    truth = Truth(
        flawed=True,
        error_class=error_class,
        error_type=error_type,
        line=line,
        explanation=optional_text(record, "explanation"),
    )
    yield sample_of(
        f"{base}:transformed",
        question,
        solution,
        truth,
        operator=named.replace(" ", "_"),
        reference=record["original_solution"],
        **about,
    )
