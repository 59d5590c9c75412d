"""The digest of a record's content, by which a later change of any field is detected."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

FIELD = "digest"
"""The field that holds the digest."""


def content_digest(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the JSON of a record's fields but the digest itself, whatever their order."""
    content = {name: value for name, value in record.items() if name != FIELD}
    text = json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def with_digest(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with the digest of its content."""
    content = {name: value for name, value in record.items() if name != FIELD}
    return {**content, FIELD: content_digest(content)}
