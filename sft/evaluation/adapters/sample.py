"""The format of this package's own samples, as `oracle-factory evaluate --adapt` writes them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.json_form import MalformedRecordError
from harness.solution.labels import named_error_type
from sft.evaluation.benchmark_files import UnreadableRecord, adapter, sample_of, text_of
from sft.samples.items import Sample
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@adapter("sample", "sample_id", "problem_id", "question", "solution", "flawed")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """Our own `{sample_id, problem_id, question, solution, flawed, error_class, error_type, line, …}`."""
    del name
    try:
        sample = Sample.of_record(record)
    except MalformedRecordError as error:
        raise UnreadableRecord(f"no sample: {error}") from None
    for key in ("sample_id", "problem_id", "question", "solution"):
        text_of(record, key)
    places = read_item(sample.question, sample.solution).places()
    if sample.truth.line and sample.truth.line not in places:
        raise UnreadableRecord(f"expected one of {', '.join(places)} in 'line', found {sample.truth.line[:60]!r}")
    error_type = named_error_type(sample.truth.error_type)
    if sample.truth.error_type and error_type is None:
        raise UnreadableRecord(
            f"expected a type of the taxonomy or nothing in 'error_type', found {sample.truth.error_type[:60]!r}"
        )
    if error_type is not None:
        sample = replace(sample, truth=replace(sample.truth, error_type=str(error_type)))
    sample_of(sample.sample_id, sample.question, sample.solution, sample.truth, source="", licence="")
    yield sample
