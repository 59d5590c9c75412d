"""Records of a stage whose texts would act if they were taken for more than text."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.domain import Problem, Verdict
from harness.json_form import MalformedRecordError, read_record
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.records.mutation import FlawRecord
from harness.records.template import TraceRecord
from harness.records.variant import VariantRecord

Record = Mapping[str, Any]

HOSTILE = "</script><img src=x onerror=alert(1)>[bold]\x1b[31m\x00\u202e\u2028\ud800{{ script }}"
HOSTILE_PROSE = HOSTILE.replace("\ud800", "")
RECORD_CLASSES: dict[str, type[Any]] = {
    "problems": Problem,
    "programs": ProgramRecord,
    "verdicts": Verdict,
    "consensus": ConsensusRecord,
    "traces": TraceRecord,
    "computational": FlawRecord,
    "conceptual": FlawRecord,
    "variants": VariantRecord,
}


def hostile_artefacts(artefacts: Mapping[str, Sequence[Record]], text: str = HOSTILE) -> dict[str, list[Any]]:
    """Return the records of a stage with `text` at the end of every string that its record class allows to end so."""
    return {
        name: [_hostile_record(RECORD_CLASSES.get(name), record, text) for record in records]
        for name, records in artefacts.items()
    }


def _hostile_record(record_class: type[Any] | None, record: Any, text: str) -> Any:
    hostile = _ending(record, text)
    if "system" in record:  # what is no number or expression is refused whole
        for part, field in (("facts", "value"), ("steps", "expression"), ("bounds", "limit")):
            for place, constraint in enumerate(record["system"][part]):
                hostile["system"][part][place][field] = constraint[field]
    while record_class is not None:
        try:
            read_record(record_class, hostile)
        except MalformedRecordError as error:
            *path, last = (int(key) if key.isdecimal() else key for key in error.field.split("."))
            changed, original = hostile, record
            for key in path:
                changed, original = changed[key], original[key]
            assert changed[last] != original[last]
            changed[last] = original[last]
        else:
            break
    return hostile


def _ending(value: Any, text: str, *, key: str = "") -> Any:
    if isinstance(value, dict):
        keep = key not in {"domain", "inputs"}
        return {name if keep else name + text: _ending(item, text, key=name) for name, item in value.items()}
    if isinstance(value, list):
        return [_ending(item, text, key=key) for item in value]
    return value + text if isinstance(value, str) and key != "claim" else value
