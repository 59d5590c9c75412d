"""The digest of a record's content, by which a later change of any field is detected."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

FIELD = "digest"
"""The field that holds the digest."""


def content_text(record: Mapping[str, Any]) -> str:
    """Return the JSON of a record's fields but the digest itself in ASCII, whatever their order."""
    content = {name: value for name, value in record.items() if name != FIELD}
    return json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def content_digest(record: Mapping[str, Any], text: str | None = None) -> str:
    """Return the SHA-256 of the content of a record; `text` is its `content_text`, where that is known."""
    return hashlib.sha256((text or content_text(record)).encode("ascii")).hexdigest()


def with_digest(record: Mapping[str, Any], text: str | None = None) -> dict[str, Any]:
    """Return a record with the digest of its content; `text` as in `content_digest`."""
    return {**{name: value for name, value in record.items() if name != FIELD}, FIELD: content_digest(record, text)}
