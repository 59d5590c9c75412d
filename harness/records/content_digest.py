"""The digest of a record's content, by which a later change of any field is detected."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

FIELD = "digest"
"""The field that holds the digest."""


def content_digest(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record's fields but the digest itself, whatever their order."""
    return _digest(content_text(record))


def content_text(record: Mapping[str, Any]) -> str:
    """Return the JSON of a record's fields but the digest, in ASCII and in the order of their names."""
    content = {name: value for name, value in record.items() if name != FIELD}
    return json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def with_digest(record: Mapping[str, Any], text: str | None = None) -> dict[str, Any]:
    """Return a record with the digest of its content; `text` is what `content_text` returns of it, where that is known."""
    content = {name: value for name, value in record.items() if name != FIELD}
    return {**content, FIELD: _digest(content_text(content) if text is None else text)}
