"""Checks of a record's content as a whole: its digest, and characters that look like others or cannot be seen."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

from harness.records.content_digest import FIELD, content_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# A reviewer's notes and the words of the corpus may hold what they like.
_FREE = frozenset({"review", "question", "modified_problem_text"})
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def digest_problem(record: Mapping[str, Any]) -> str | None:
    """Return why the digest is not that of the record's other fields; `None` where it is."""
    expected = content_digest(record)
    given = record.get(FIELD)
    if given == expected:
        return None
    if not given:
        return f"{FIELD}: missing; expected the SHA-256 of the other fields, {expected[:12]}…; run the stage again"
    return (
        f"{FIELD}: expected {expected[:12]}…, found {str(given)[:12]}…: a field was changed after the record was made"
    )


_PLAIN = re.compile(r'(?:[ -\[\]-~]|\\[nt"\\])*+')
"""JSON of nothing but printable ASCII and line breaks."""


def character_problem(record: Mapping[str, Any]) -> str | None:
    """Return the first text with a digit of another script or an invisible character; `None` where there is none.

    Signs such as `½` and `³` are left to the checks of numbers. The question may have what its corpus has, and other fields
    may quote the invisible characters of the question.
    """
    checked = {key: value for key, value in record.items() if key not in _FREE}
    # Whatever else is written as an escape is no plain text.
    if _PLAIN.fullmatch(json.dumps(checked, ensure_ascii=False)):
        return None
    quoted = {*"\n\t", *str(record.get("question"))}
    for name, text in _texts(checked, ""):
        if text.isascii() and text.isprintable():
            continue
        for character in text:
            category = unicodedata.category(character)
            invisible = category in _INVISIBLE and character not in quoted
            if invisible or (category == "Nd" and not character.isascii()):
                what = "the invisible character" if invisible else "the digit of another script"
                return f"{name}: has {what} U+{ord(character):04X}, expected none"
    return None


def _texts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(part, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _texts(part, f"{name}[{place}]")
