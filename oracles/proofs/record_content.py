"""The judgement on a record, and checks of its content as a whole: digest, provenance, equations, characters that cannot be seen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.domain import Status
from harness.equations.equation import StatedEquation
from harness.equations.line_reader import read_line
from harness.json_form import DIGEST_FIELD, content_digest, content_text
from harness.records.provenance import SourceProvenance
from harness.text.characters import quoted

# A reviewer's notes, the words of the corpus and the comments of a formalization may hold any character.
_FREE = frozenset({"review", "question", "modified_problem_text", "source"})
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_NOT_PLAIN = ("\\u", "\\b", "\\f", "\\r", "\x7f")
"""What stands in JSON in ASCII for a character that is not ASCII or cannot be seen, without line breaks and tabs."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A status, and its reason where it is not CONFIRMED; `unread` counts equals signs that are not a readable equation."""

    status: Status
    reason: str | None = None
    unread: int = 0

    @classmethod
    def of_problem(cls, reason: str | None) -> Judgement:
        """Return REFUTED for a reason, CONFIRMED without one."""
        return cls(Status.CONFIRMED if reason is None else Status.REFUTED, reason)


def digest_problem(record: Mapping[str, Any], text: str) -> str | None:
    """Return why the digest is not that of the record's other fields, whose `content_text` is `text`; `None` where it is."""
    expected = content_digest(record, text)
    given = record.get(DIGEST_FIELD)
    if given == expected:
        return None
    if not given:
        return (
            f"{DIGEST_FIELD}: missing; expected the SHA-256 of the other fields, {expected[:12]}…; run the stage again"
        )
    return f"{DIGEST_FIELD}: expected {expected[:12]}…, found {str(given)[:12]}…: a field was changed after the record was made"


def character_problem(record: Mapping[str, Any], text: str | None = None) -> str | None:
    """Return the first text with a digit of another script or an invisible character; `None` where there is none.

    `text` is the record's `content_text`, where that is known.

    Signs such as `½` and `³` are left to the checks of numbers. The question may have what its corpus has, and other fields
    may quote the invisible characters of the question.
    """
    written = text or content_text(record)
    if not any(mark in written for mark in _NOT_PLAIN):
        return None
    free = {*"\n\t", *str(record.get("question"))}
    checked = {key: value for key, value in record.items() if key not in _FREE}
    for name, part in _texts(checked, ""):
        for character in part:
            category = unicodedata.category(character)
            invisible = category in _INVISIBLE and character not in free
            if invisible or (category == "Nd" and not character.isascii()):
                what = "the invisible character" if invisible else "the digit of another script"
                return f"{name}: has {what} U+{ord(character):04X}, expected none"
    return None


def _texts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Yield all texts of a JSON value with their places."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(part, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _texts(part, f"{name}[{place}]")


def equation_problem(field: str, text: str, own: str = "") -> str | None:
    """Return the false equation of a text that the line `own` does not state as well; `None` if there is none."""
    found = ((line, equation) for line in text.split("\n") for equation in false_equations(line, own))
    shown = (quoted(line[equation.start : equation.end]) for line, equation in found)
    return next((f"{field}: holds a false equation: {equation}" for equation in shown), None)


def false_equations(line: str, own: str) -> list[StatedEquation]:
    """Return the false equations and comparisons of a line that the line `own` does not state as well."""
    known = {(equation.left.value, equation.right.value) for equation in read_line(own).refuted}
    return [
        equation for equation in read_line(line).refuted if (equation.left.value, equation.right.value) not in known
    ]


def provenance_problem(provenance: SourceProvenance | None, model: str) -> str | None:
    """Return the contradiction within the provenance of a record by a model; `None` if there is none, or no provenance."""
    if provenance is None:
        return None
    rest = (provenance.oracle, provenance.clique_size, provenance.confidence)
    if not provenance.formalized:
        has_more = any(part is not None for part in (*rest, provenance.p_right))
        return "provenance: expected null for all else where formalized is false" if has_more else None
    if any(part is None for part in rest):
        return "provenance: expected oracle, clique_size and confidence where formalized is true"
    if provenance.clique_size == 1 and provenance.oracle != model:
        return f"provenance.oracle: expected {quoted(model)}, the only member of the clique, found {quoted(str(provenance.oracle))}"
    if provenance.clique_size == 1 and provenance.confidence != 0:
        return f"provenance.confidence: expected 0 of a clique of one, found {provenance.confidence:g}"
    return None
