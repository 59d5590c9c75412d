"""The records that `--keep` writes beside what it keeps: what it leaves, and the counts."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from harness.json_form import Integer, Number, Prose


@dataclass(frozen=True, slots=True)
class LeftRecord:
    """A record that is not kept, in `KEPT.rest.jsonl`."""

    reason: Prose
    """Why it is not kept."""
    record: JsonValue
    """The record as the file has it; of a line that is no record, the error as text."""


@dataclass(frozen=True, slots=True)
class KeptCounts:
    """What is kept, in `KEPT.about.json`; what is kept, in `KEPT`, are the records as the file has them."""

    records: Integer
    """The records of the file."""
    judged: Integer
    """Those that an oracle judged."""
    kept: Integer
    """Those that are kept."""
    precision: Number
    """The least share of right ones that was asked for."""
    least_p_right: Number | None
    """The least probability that the oracle of a kept record is right; null where none is kept."""
    expected_share_of_wrong: Number | None
    """The share of the kept that is expected to have a wrong answer at most; null where none is kept."""
    left: Mapping[str, Integer]
    """The records that are left, by the reason."""
