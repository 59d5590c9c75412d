"""The JSON form of dataclasses: writing records, strict reading, the types of their fields, and the digests of contents.

A record class is a frozen dataclass. Its fields stand in the file in their order, tuples as lists, enums as their values. Reading
converts nothing: a number is no text, and `1` is no `true`. Fields that the class lacks are passed over.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import Field, PlainSerializer, Strict, TypeAdapter, ValidationError

from harness.errors import HarnessError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    RecordClass = TypeVar("RecordClass", bound=DataclassInstance)
else:
    RecordClass = TypeVar("RecordClass")

LONGEST_NAME = 200
LONGEST_NUMBER = 400
"""The most digits of a numerator or a denominator."""
LONGEST_EXPRESSION = 4_000
LONGEST_TEXT = 100_000
MOST_CONSTRAINTS = 200
MOST_SHOWN = 80
"""The characters of a value that a message shows."""

Integer = Annotated[int, Strict()]
Number = Annotated[float, Strict()]
Boolean = Annotated[bool, Strict()]
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Value = Annotated[str, Field(max_length=2 * LONGEST_NUMBER + 2)]
"""An exact number as text: `7`, `-7` or `7/2`."""
Code = Annotated[str, Field(max_length=LONGEST_EXPRESSION)]
"""A Python expression."""
Prose = Annotated[str, Field(max_length=LONGEST_TEXT)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 in hexadecimal digits."""
Place = Annotated[int, Strict(), Field(ge=0, le=LONGEST_TEXT)]
Span = tuple[Place, Place]
"""Where something begins and ends in a text, counted in characters from zero."""


def rounded(places: int) -> PlainSerializer:
    """Return the annotation of a number that JSON has rounded to a number of places; null stays null."""
    return PlainSerializer(lambda value: None if value is None else round(value, places))


class MalformedRecordError(HarnessError):
    """A record does not fit its class: `field` names the place, `expected` and `found` the expected and the actual value, shortened."""

    def __init__(self, field: str, expected: str, found: str = "something else") -> None:
        super().__init__(f"{field or 'the record'}: {expected}")
        self.field = field
        self.expected = expected
        self.found = found


@cache
def _adapter(record_class: type[RecordClass]) -> TypeAdapter[RecordClass]:
    return TypeAdapter(record_class)


def json_form(record: "DataclassInstance") -> dict[str, Any]:
    """Return the JSON object of a record."""
    form: dict[str, Any] = _adapter(type(record)).dump_python(record, mode="json", by_alias=True)
    return form


def read_record(record_class: type[RecordClass], form: Any) -> RecordClass:
    """Return the record of a JSON object; a field that is missing, too large, or of another type is a `MalformedRecordError`."""
    if isinstance(form, Exception):
        raise MalformedRecordError("", f"no JSON ({str(form)[:100]})")
    adapter: TypeAdapter[RecordClass] = _adapter(record_class)
    try:
        return adapter.validate_python(form)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        found = "nothing" if first["type"] == "missing" else _ascii_json(first["input"])
        # Before the words of our own readers pydantic writes the name of their exception.
        words = first["msg"].removeprefix("Value error, ")
        raise MalformedRecordError(".".join(map(str, first["loc"])), words, found) from None


def _ascii_json(value: Any) -> str:
    """Return a JSON value as plain ASCII, shortened."""
    if isinstance(value, str):
        value = value[:MOST_SHOWN]
    elif isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)} entries"
    text = ascii(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


DIGEST_FIELD = "digest"
"""The field that holds the digest."""


def content_text(record: Mapping[str, Any]) -> str:
    """Return the JSON of a record's fields but the digest itself in ASCII, whatever their order."""
    content = {name: value for name, value in record.items() if name != DIGEST_FIELD}
    return json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def content_digest(record: Mapping[str, Any], text: str | None = None) -> str:
    """Return the SHA-256 of the content of a record; `text` is its `content_text`, where that is known."""
    return hashlib.sha256((text or content_text(record)).encode("ascii")).hexdigest()


def with_digest(record: Mapping[str, Any], text: str | None = None) -> dict[str, Any]:
    """Return a record with the digest of its content; `text` as in `content_digest`."""
    return {
        **{name: value for name, value in record.items() if name != DIGEST_FIELD},
        DIGEST_FIELD: content_digest(record, text),
    }
