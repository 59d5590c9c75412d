"""Rules that tamper with the records of flawed solutions and problem variants: each changes one field by one rule."""

import copy
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from harness.json_form import with_digest

Record = dict[str, Any]
Path = tuple[str | int, ...]
DROP = object()
"""What a rule gives for a field that is to be deleted."""
NONSENSE = "It is obvious."
_DIGITS = {
    "arabic-indic digits": "٠١٢٣٤٥٦٧٨٩",
    "fullwidth digits": "０１２３４５６７８９",  # the digits that the rule puts in
    "superscript digits": "⁰¹²³⁴⁵⁶⁷⁸⁹",
}
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[A-Za-z]{3,}")
_OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "x": "+"}
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
_SIGN = re.compile(r"(?<=[\w) ])([-+*/x])(?=[\w( ])")
_UNITS = (("$", "€"), ("dollars", "cents"), ("hours", "minutes"), ("days", "weeks"), ("feet", "inches"), ("%", ""))


@dataclass(frozen=True, slots=True)
class Tampering:
    """A record with one field changed: its kind, the field without the numbers of its parts, the rule, and the record as it was made."""

    kind: str
    field: str
    rule: str
    record: Record
    original: Record


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each field of a JSON value with its path, parents before what they hold."""
    if path:
        yield path, value
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from leaves(part, (*path, place))


def field_of(path: Path, record: Record) -> str:
    """Return the name of a field: places in lists, and names of variables, are left out."""
    parts: list[str] = []
    parent: Any = record
    for key in path:
        free = parts and parts[-1] in {"stated", "models[]"}
        parts.append("[]" if isinstance(key, int) else "*" if free else key)
        parent = parent[key]
        if parts[-1] == "[]":
            parts[-2:] = [f"{parts[-2]}[]"]
    return ".".join(parts)


def changed_at(record: Record, path: Path, value: Any) -> Record:
    """Return a copy of a record with another value in one field, or without the field."""
    new = copy.deepcopy(record)
    place: Any = new
    for key in path[:-1]:
        place = place[key]
    if value is DROP:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return new


def value_at(record: Record, path: Path) -> Any:
    """Return what stands in a field, `None` where the record has no such field."""
    value: Any = record
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def texts_instead(text: str) -> Iterator[tuple[str, str]]:
    """Yield what each rule makes of a text."""
    yield "empty", ""
    yield "nonsense", NONSENSE
    yield "a space at the end", f"{text} "
    numbers = list(_NUMBER.finditer(text))
    if numbers:
        for rule, digits in _DIGITS.items():
            yield rule, text.translate(dict(zip(map(ord, "0123456789"), digits, strict=True)))
        for place, name in ((0, "first"), (-1, "last")):
            number = numbers[place]
            yield f"{name} number plus one", _put(text, number, str(int(number[0]) + 1))
        longest = max(numbers, key=lambda match: len(match[0]))
        yield "digits permuted", _put(text, longest, longest[0][::-1])
        yield "a number deleted", _put(text, numbers[-1], "")
    yield "zero-width character", f"{text[: len(text) // 2]}\u200b{text[len(text) // 2 :]}"
    sign = _SIGN.search(text)
    if sign is not None:
        yield "an operator changed", _put(text, sign, _OPERATORS[sign[0]])
    words = list(_WORD.finditer(text))
    if words:
        middle = words[len(words) // 2]
        yield "a word replaced", _put(text, middle, "banana")
        yield "a word deleted", _put(text, middle, "")
        yield "a word not", _put(text, middle, f"not {middle[0]}")
        yield (
            "a letter of another script",
            _put(text, middle, middle[0].translate(str.maketrans("aeo", "аео"))),
        )  # the letters that the rule puts in
    lines = text.split("\n")
    if len(lines) > 2:
        yield "first line deleted", "\n".join(lines[1:])
        yield "last line deleted", "\n".join(lines[:-1])
        yield "lines reordered", "\n".join([lines[1], lines[0], *lines[2:]])
        yield "first line nonsense", "\n".join([NONSENSE, *lines[1:]])
        yield "last but one line nonsense", "\n".join([*lines[:-2], NONSENSE, lines[-1]])
        yield "all lines nonsense", "\n".join([NONSENSE] * (len(lines) - 1) + [lines[-1]])
        yield "a line more", "\n".join([*lines[:-1], NONSENSE, lines[-1]])
    sentences = _SENTENCE_END.split(text)
    if len(lines) == 1 and len(sentences) > 1:
        for place in range(len(sentences)):
            yield f"sentence {place + 1} deleted", " ".join([*sentences[:place], *sentences[place + 1 :]])
        yield "first sentence twice", " ".join([sentences[0], *sentences])
        yield "sentences reordered", " ".join([sentences[1], sentences[0], *sentences[2:]])
    for old, new in _UNITS:
        if old in text:
            yield "another unit", text.replace(old, new, 1)
            break


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def values_instead(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield what each rule makes of the value of a field."""
    yield "deleted", DROP
    match value:
        case bool():
            yield "switched", not value
        case int() | float():
            yield "plus one", value + 1
            yield "zero", 0
            yield "half of it more", value * 1.5 + 0.25
        case str():
            yield from texts_instead(value)
        case None:
            yield "a text for null", "x"
            yield "a number for null", 1
        case list():
            yield "emptied", []
            if value:
                yield "first entry deleted", value[1:]
                yield "last entry twice", [*value, value[-1]]
            if len(value) > 1:
                yield "reordered", value[::-1]
        case dict():
            yield "emptied", {}
    if value is not None:
        yield "null", None


def tamperings(kind: str, record: Record, others: Sequence[Record], *, resealed: bool) -> Iterator[Tampering]:
    """Yield each tampering with a record, whose `others` lend their fields.

    Where it is `resealed`, whoever tampered computed the digest of the content and the id anew.
    """
    seen: set[tuple[str, str]] = set()
    for path, value in leaves(record):
        field = field_of(path, record)
        for rule, new in _changes(record, path, value, others):
            changed = changed_at(record, path, new)
            if (field, rule) in seen or json.dumps(changed) == json.dumps(record):
                continue
            seen.add((field, rule))
            sealed = with_digest(changed) if resealed and path != ("digest",) else changed
            yield Tampering(kind, field, rule, sealed, record)


def _changes(record: Record, path: Path, value: Any, others: Sequence[Record]) -> Iterator[tuple[str, Any]]:
    yield from values_instead(value)
    for rule, chosen in _LENDERS.items():
        for other in others:
            lent = value_at(other, path)
            if lent is not None and lent != value and chosen(record, other):
                yield rule, copy.deepcopy(lent)
                break
    if path and path[-1] in {"error_type", "operator", "mutation_type"}:
        for name in sorted({str(value_at(other, path)) for other in others} - {str(value)}):
            yield f"swapped for {name}", name


def swaps(kind: str, record: Record, pool: Sequence[Record], random: Random, most: int) -> Iterator[Tampering]:
    """Yield a record with each field as other records of a pool have it, at most so many values a field, and sealed again.

    Whoever swaps the operator gives the record the id that this operator would give it, wherever its name stands.
    """
    for path, value in leaves(record):
        if path == ("digest",):
            continue
        known = {json.dumps(value, sort_keys=True)}
        lent = {
            json.dumps(part, sort_keys=True) for other in pool if (part := value_at(other, path)) is not None
        } - known
        for text in random.sample(sorted(lent), min(most, len(lent))):
            changed = changed_at(record, path, json.loads(text))
            if path == ("operator",):
                changed = named_anew(changed)
            yield Tampering(
                kind, field_of(path, record), f"{str(value)[:60]} as {text[:60]}", with_digest(changed), record
            )


def _digest(text: str) -> str:
    """Return the digest with which the id of a record ends."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def named_anew(record: Record) -> Record:
    """Return a record whose ids and names follow its operator, as whoever renames it would write them."""
    operator, changed = record["operator"], copy.deepcopy(record)
    if "flawed_solution" in record:
        changed["mutation"]["mutation_type"] = operator
        digest = _digest("\n".join((operator, record["flawed_solution"])))
        changed["flaw_id"] = f"{record['problem_id']}:{operator}:{digest}"
        return changed
    changed["variant_id"] = f"{record['problem_id']}:{operator}:{_digest(record['modified_problem_text'])}"
    if record["twin_of"] is not None:
        changed["twin_of"] = f"{record['problem_id']}:{operator}:{record['twin_of'].rpartition(':')[2]}"
    return changed


def _kind_of(record: Record) -> Any:
    return record.get("class_label", record.get("certificate", {}).get("claim"))


_LENDERS: dict[str, Callable[[Record, Record], bool]] = {
    "of another record of the problem": lambda record, other: record["problem_id"] == other["problem_id"],
    "of a record of the same operator": lambda record, other: record["operator"] == other["operator"],
    "of a record of the same class": lambda record, other: _kind_of(record) == _kind_of(other),
    "of a record of another class": lambda record, other: _kind_of(record) != _kind_of(other),
}
