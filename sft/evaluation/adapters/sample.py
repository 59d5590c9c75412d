"""How are our own samples read back?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.labels import ErrorType
from sft.evaluation.adaptation import UnreadableRecord, adapter, sample_of, text_of
from sft.items import Sample

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_TYPES = {"", *map(str, ErrorType)}


@adapter("sample", "sample_id", "problem_id", "question", "solution", "flawed")
def read(record: Mapping[str, Any], name: str) -> Iterable[Sample]:
    """Our own `{sample_id, problem_id, question, solution, flawed, error_class, error_type, line, …}`."""
    del name
    try:
        sample = Sample.of_record(record)
    except (KeyError, ValueError) as error:
        raise UnreadableRecord(f"no sample: {type(error).__name__} {str(error)[:100]}") from None
    texts = {key: text_of(record, key) for key in ("sample_id", "problem_id", "question", "solution")}
    if not isinstance(sample.truth.flawed, bool) or sample.truth.error_type not in _TYPES:
        raise UnreadableRecord(
            "expected true or false in 'flawed', and a type of the taxonomy or nothing in 'error_type'"
        )
    sample_of(sample.sample_id, texts["question"], texts["solution"], sample.truth, source="", licence="")
    yield sample
