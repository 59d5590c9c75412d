"""Digests of candidate records, and text that SQLite can store."""

import hashlib
from typing import Any

from harness.store.run_folder import dump

VERSION_DIGITS = 12


def version_of(record: Any) -> str:
    """Return a digest of a record, by which decisions name its version."""
    return hashlib.sha256(dump(record).encode("utf-8", "backslashreplace")).hexdigest()[:VERSION_DIGITS]


def storable(text: str) -> str:
    """Return a text without lone surrogates, which SQLite cannot store."""
    return text.encode("utf-8", "replace").decode()
