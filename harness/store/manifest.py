"""The manifest that seals a stage."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from harness.json_form import Integer, MalformedRecordError, read_record
from harness.store.content_digest import FIELD, content_digest

FORMAT = 2
"""The format of the records of a run. A run of another format is refused, because its records cannot be read or checked again."""


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
    format: Integer
    """The format of the records."""
    files: Mapping[str, SealedFile]
    """The files of the stage by name."""
    digest: str
    """The SHA-256 of the other fields, by which a later change is found."""


def checked_manifest(form: Any) -> dict[str, Any]:
    """Return a manifest as it was sealed.

    Raises:
        MalformedRecordError: it is no manifest of a sealed stage, is of another release, was changed, or names a file outside the stage's folder.
    """
    if isinstance(form, dict) and form.get("sealed") is True and form.get("format") != FORMAT:
        raise MalformedRecordError(
            "format", f"the run is of another release; this one reads format {FORMAT}", repr(form.get("format"))[:80]
        )
    sealed = read_record(StageManifest, form)
    for name in sealed.files:
        if not name or name.startswith(".") or any(sign in name for sign in "/\\\0"):
            raise MalformedRecordError(
                "files", "expected the name of a file in the folder of the stage", repr(name)[:80]
            )
    if sealed.digest != content_digest(form):
        raise MalformedRecordError(
            FIELD, "the manifest was changed after the stage was sealed", repr(sealed.digest)[:80]
        )
    manifest: dict[str, Any] = form
    return manifest
