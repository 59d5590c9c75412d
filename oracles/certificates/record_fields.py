"""Strict pydantic types for the fields of records from outside: names, values, code and prose of limited length."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from harness.json_form import LONGEST_EXPRESSION, LONGEST_NAME, LONGEST_NUMBER
from harness.program.refusal import Refusal, RefusalReason

LONGEST_TEXT = 100_000

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Value = Annotated[str, Field(max_length=2 * LONGEST_NUMBER + 2)]
Code = Annotated[str, Field(max_length=LONGEST_EXPRESSION)]
Prose = Annotated[str, Field(max_length=LONGEST_TEXT)]


class StrictRecord(BaseModel):
    """A part of somebody's record, read strictly."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


def json_object(record: Any) -> Any:
    """Return a record that JSON could read.

    Raises:
        Refusal: what was read is an error.
    """
    if isinstance(record, Exception):
        raise Refusal(RefusalReason.MALFORMED_RECORD, f"no JSON ({str(record)[:100]})")
    return record
