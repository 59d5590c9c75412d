"""The text of values in programs: the digits of exact numbers where they are known, and unknown text otherwise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from harness.program.evaluation.limits import LONGEST_TEXT
from harness.program.evaluation.number_kinds import Ratio
from harness.program.refusal import ProgramError, Refusal, RefusalReason

_LONG_FIELD = re.compile(r"\d{4}")
_FLOAT_TYPES = tuple("eEfFgG%n")


@dataclass(frozen=True, slots=True)
class UnknownText:
    """A text of Python that is not known here, such as the digits of a float."""

    of: str


def known(text: str) -> str:
    """Return a text; refuse one that is too long."""
    if len(text) > LONGEST_TEXT:
        raise Refusal(RefusalReason.BUDGET, f"a text of {len(text):,} characters")
    return text


def text_of(value: Any) -> str | UnknownText:
    """Return `str(value)`."""
    if value is None or isinstance(value, int | Ratio):
        return str(value)
    if isinstance(value, str):
        return value
    return value if isinstance(value, UnknownText) else UnknownText(type(value).__name__)


def formatted(value: Any, specification: Any) -> str | UnknownText:
    """Return `format(value, specification)`.

    Raises:
        Refusal: the specification is not one of those translated here.
    """
    if specification == "":
        return text_of(value)
    exact = isinstance(value, int | str) and isinstance(specification, str) and specification.isascii()
    if not exact or specification.endswith(_FLOAT_TYPES) or _LONG_FIELD.search(specification):
        raise Refusal(RefusalReason.UNSUPPORTED, f"the format {str(specification)[:20]!r} of {type(value).__name__}")
    try:
        return known(format(value, specification))
    except (ValueError, OverflowError) as error:
        raise ProgramError(type(error).__name__, str(error)) from None
