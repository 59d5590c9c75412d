"""The format of this package's own samples, as `oracle-factory evaluate --adapt` writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.solution.labels import ErrorType
from sft.evaluation.benchmark_files import UnreadableRecord, adapter, sample_of, text_of
from sft.samples.items import Sample
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_TYPES = {"", *map(str, ErrorType)}
_TEXTS = ("error_type", "line", "explanation", "source", "licence", "operator", "position", "reference")


@adapter("sample", "sample_id", "problem_id", "question", "solution", "flawed")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """Our own `{sample_id, problem_id, question, solution, flawed, error_class, error_type, line, …}`."""
    del name
    try:
        sample = Sample.of_record(record)
    except (KeyError, ValueError, TypeError) as error:
        raise UnreadableRecord(f"no sample: {type(error).__name__} {str(error)[:100]}") from None
    texts = {key: text_of(record, key) for key in ("sample_id", "problem_id", "question", "solution")}
    odd = [key for key in _TEXTS if not isinstance(record.get(key, ""), str)]
    if odd:
        raise UnreadableRecord(f"expected text in {odd[0]!r}, found {str(record[odd[0]])[:60]!r}")
    places = read_item(sample.question, sample.solution).places()
    if sample.truth.line and sample.truth.line not in places:
        raise UnreadableRecord(f"expected one of {', '.join(places)} in 'line', found {sample.truth.line[:60]!r}")
    if not isinstance(sample.truth.flawed, bool) or sample.truth.error_type not in _TYPES:
        raise UnreadableRecord(
            "expected true or false in 'flawed', and a type of the taxonomy or nothing in 'error_type'"
        )
    sample_of(sample.sample_id, texts["question"], texts["solution"], sample.truth, source="", licence="")
    yield sample
