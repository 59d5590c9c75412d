"""Records of a stage whose texts would act if they were taken for more than text."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.domain import Problem, Verdict
from harness.json_form import MalformedRecordError, read_record
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.records.label import FlaggedRecord
from harness.records.mutation import FlawRecord
from harness.records.template import TraceRecord
from harness.records.variant import VariantRecord
from harness.text.characters import replace_surrogates
from tests.reports.stage_records import HOSTILE_PROBLEMS, STAGE_RECORDS, seal_stage, some_records

Record = Mapping[str, Any]

HOSTILE = "</script><img src=x onerror=alert(1)>[bold]\x1b[31m\x00\u202e\u2028\ud800{{ script }}"
LONG = HOSTILE + "W" * 3_000
TEXTS = (HOSTILE, LONG)
"""Markup, template code, terminal controls, format characters and a lone surrogate; the same with a very long word."""
SHORT_FIRST = (HOSTILE, pytest.param(LONG, marks=pytest.mark.slow, id="long"))
"""Both texts, the long one for the slow tests."""
SHOWN = "</script><img src=x onerror=alert(1)>[bold]␛[31m␀<U+202E><U+2028>"
"""How a person sees the beginning of a hostile text, in a page or on a terminal."""
ACTING = {"\x1b", "\x00", "\u202e", "\u2028", "\ud800"}
"""The characters of a hostile text that no page and no terminal may be given."""
RUN_NAME = "<img src=x onerror=alert(1)>[bold]"
RECORD_CLASSES: dict[str, type[Any]] = {
    "problems": Problem,
    "programs": ProgramRecord,
    "verdicts": Verdict,
    "consensus": ConsensusRecord,
    "traces": TraceRecord,
    "computational": FlawRecord,
    "conceptual": FlawRecord,
    "variants": VariantRecord,
    "flagged": FlaggedRecord,
}


def hostile_artefacts(artefacts: Mapping[str, Sequence[Record]], text: str = HOSTILE) -> dict[str, list[Any]]:
    """Return the records of a stage with `text` at the end of every string that its record class allows to end so."""
    return {
        name: [_hostile_record(RECORD_CLASSES.get(name), record, text) for record in records]
        for name, records in artefacts.items()
    }


@functools.cache
def hostile_records(stage: str, text: str = HOSTILE) -> dict[str, list[Any]]:
    """Return the hostile records of a stage."""
    return hostile_artefacts(some_records(STAGE_RECORDS[stage](), HOSTILE_PROBLEMS[stage]), text)


def hostile_run(run: Path, stage: str, text: str = HOSTILE) -> Path:
    """Seal a stage with hostile text in every field and in its manifest."""
    return seal_stage(run, stage, hostile_records(stage, text), label=text)


def holds(text: str, hostile: str) -> bool:
    """Tell whether a text holds a hostile one; a reader may have replaced its lone surrogate."""
    return replace_surrogates(hostile) in replace_surrogates(text)


def _hostile_record(record_class: type[Any] | None, record: Any, text: str) -> Any:
    hostile = _ending(record, text)
    if "system" in record:  # what is no number or expression is refused whole
        for part, field in (("facts", "value"), ("steps", "expression"), ("bounds", "limit")):
            for place, constraint in enumerate(record["system"][part]):
                hostile["system"][part][place][field] = constraint[field]
    while record_class is not None:
        try:
            read_record(record_class, replace_surrogates(hostile))
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
    if not isinstance(value, str) or key == "claim":
        return value
    return value + (text[: len(HOSTILE)] if key.endswith("_id") else text)
