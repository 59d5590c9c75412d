"""The manifest that seals a stage."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from harness.json_form import Integer


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
