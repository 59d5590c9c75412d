"""Flawed solutions, each in one record with its correct original, as people or the mutation stage write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import LabelVerdict, RejectedRecord, read_record
from harness.solution.labels import ErrorClass, ErrorType
from sft.evaluation.benchmark_files import UnreadableRecord, adapter, name_of, sample_of, text_of
from sft.samples.items import Truth
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sft.samples.items import Sample

_FINE = frozenset(map(str, ErrorType)) - {str(ErrorClass.COMPUTATIONAL)}


@adapter("human", "problem_id", "question", "solution", "flawed_solution")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """`{problem_id, question, solution, flawed_solution, error_type, erroneous_line_number}`: two samples, the first correct.

    A line that the solution does not have counts as unknown. A `label` may replace the last two fields, as in records of
    the mutation stage.
    """
    labelled = read_record(record, name)
    if isinstance(labelled, RejectedRecord):
        raise UnreadableRecord(labelled.reason)
    question, problem_id = text_of(record, "question"), name_of(record, "problem_id", "")
    stated = labelled.stated
    if stated.said is not LabelVerdict.FLAWED:
        raise UnreadableRecord(f"expected the label of a flawed solution, found {str(stated.said)!r}")
    about = {"source": "human", "licence": "as the file's", "problem_id": problem_id}
    base = name_of(record, "flaw_id", name)
    yield sample_of(f"{base}:original", question, text_of(record, "solution"), Truth(flawed=False), **about)
    fine = stated.error_type if stated.error_type in _FINE else ""
    flawed = text_of(record, "flawed_solution")
    line = stated.line if stated.line in read_item(question, flawed).places() else ""
    truth = Truth(
        flawed=True, error_class=stated.error_class, error_type=fine, line=line, explanation=stated.explanation
    )
    yield sample_of(
        f"{base}:flawed",
        question,
        flawed,
        truth,
        operator=labelled.operator,
        reference=record["solution"],
        **about,
    )
