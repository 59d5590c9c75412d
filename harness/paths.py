"""The folders that the project reads and writes outside its packages."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def cache_folder() -> Path:
    """Return the folder for embeddings, unpacked weights and tokenised data: `$ORACLE_FACTORY_CACHE`, else `.cache` in the root."""
    return Path(os.environ.get("ORACLE_FACTORY_CACHE") or ROOT / ".cache")


def data_folder() -> Path:
    """Return the folder of real data: `$SHARED_DATA`, else `../shared/data` beside the root."""
    return Path(os.environ.get("SHARED_DATA") or ROOT.parent / "shared" / "data")
