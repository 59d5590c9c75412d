"""The manifest that seals a stage."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from harness.json_form import Integer, MalformedRecordError, read_record

DIGEST = "digest"


@dataclass(frozen=True, slots=True)
class SealedFile:
    """A file of a sealed stage."""

    sha256: str
    """The SHA-256 of its bytes, in hexadecimal digits."""
    records: Integer
    """The number of its records."""


@dataclass(frozen=True, slots=True)
class StageManifest:
    """The seal of a stage, with further fields on its inputs, options and counts."""

    stage: str
    """The stage."""
    sealed: Literal[True]
    """A stage without a manifest is unfinished."""
    files: Mapping[str, SealedFile]
    """The files of the stage by name."""
    digest: str = ""
    """The SHA-256 of the other fields, by which a later change is found; runs of earlier versions lack it."""


def with_digest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest with the hash of its own fields, by which a later change is found."""
    return {**manifest, DIGEST: _digest(manifest)}


def _digest(manifest: Mapping[str, Any]) -> str:
    fields = {name: value for name, value in manifest.items() if name != DIGEST}
    text = json.dumps(fields, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def checked_manifest(form: Any) -> dict[str, Any]:
    """Return a manifest as it was sealed; one of an earlier version, which has no hash of its own, may have been changed.

    Raises:
        MalformedRecordError: it is no manifest of a sealed stage, was changed, or names a file outside the stage's folder.
    """
    sealed = read_record(StageManifest, form)
    for name in sealed.files:
        if not name or name.startswith(".") or any(sign in name for sign in "/\\\0"):
            raise MalformedRecordError(
                "files", "expected the name of a file in the folder of the stage", repr(name)[:80]
            )
    if DIGEST in form and form[DIGEST] != _digest(form):
        raise MalformedRecordError(
            DIGEST, "the manifest was changed after the stage was sealed", repr(form[DIGEST])[:80]
        )
    manifest: dict[str, Any] = form
    return manifest
