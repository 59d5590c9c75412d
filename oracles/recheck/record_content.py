"""Checks of a record's content as a whole: its digest, and characters that look like others or cannot be seen."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from harness.records.content_digest import FIELD, content_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

# A reviewer's notes and the words of the corpus may hold any character.
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


def is_plain(text: str) -> bool:
    """Tell whether the JSON of a record, in ASCII, is certain to hold printable ASCII and line breaks only."""
    return not any(escape in text for escape in _ESCAPES)


_ESCAPES = ("\\u", "\\b", "\\f", "\\r", "\x7f")


def character_problem(record: Mapping[str, Any]) -> str | None:
    """Return the first text with a digit of another script or an invisible character; `None` where there is none.

    Signs such as `½` and `³` are left to the checks of numbers. The question may have what its corpus has, and other fields
    may quote the invisible characters of the question.
    """
    checked = {key: value for key, value in record.items() if key not in _FREE}
    quoted = {*"\n\t", *str(record.get("question"))}
    for name, text in _odd_texts(checked, ""):
        for character in text:
            category = unicodedata.category(character)
            invisible = category in _INVISIBLE and character not in quoted
            if invisible or (category == "Nd" and not character.isascii()):
                what = "the invisible character" if invisible else "the digit of another script"
                return f"{name}: has {what} U+{ord(character):04X}, expected none"
    return None


def _odd_texts(value: Any, name: str) -> list[tuple[str, str]]:
    """Return the texts with anything but printable ASCII and line breaks, by their places."""
    if isinstance(value, str):
        plain = value.isascii() and (value.isprintable() or value.translate(_NO_BREAKS).isprintable())
        return [] if plain else [(name, value)]
    if isinstance(value, dict):
        parts = ((f"{name}.{key}" if name else str(key), part) for key, part in value.items())
    elif isinstance(value, list):
        parts = ((f"{name}[{place}]", part) for place, part in enumerate(value))
    else:
        return []
    return [odd for place, part in parts for odd in _odd_texts(part, place)]


_NO_BREAKS = str.maketrans("", "", "\n\t")
