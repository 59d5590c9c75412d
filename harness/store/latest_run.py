"""The name `latest` of a run: the run that sealed a wanted stage last."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LATEST = "latest"


def with_stage(folder: Path, *stages: str) -> Path:
    """Return the run that a path stands for.

    `latest` is the run beside it that sealed one of the stages last, as far as any did; every other path is itself.
    """
    if folder.name != LATEST or (folder.exists() and not folder.is_symlink()):
        return folder
    sealed = [
        (manifest.stat().st_mtime_ns, run.name)
        for run in _runs_beside(folder)
        for stage in stages
        if (manifest := run / stage / "manifest.json").is_file()
    ]
    return folder.with_name(max(sealed)[1]) if sealed else folder


def on_inputs(folder: Path, fingerprint: str) -> Path:
    """Return the run that a path stands for: `latest` is the run beside it that was begun last on the same inputs, if any was."""
    if folder.name != LATEST or (folder.exists() and not folder.is_symlink()):
        return folder
    begun = []
    for run in _runs_beside(folder):
        claim = run / "inputs.json"
        try:
            recorded = json.loads(claim.read_text("utf-8"))["fingerprint"]
            if recorded == fingerprint:
                begun.append((claim.stat().st_mtime_ns, run.name))
        except (OSError, ValueError, TypeError, KeyError):
            continue
    return folder.with_name(max(begun)[1]) if begun else folder


def _runs_beside(folder: Path) -> Iterator[Path]:
    if folder.parent.is_dir():
        yield from (run for run in sorted(folder.parent.iterdir()) if run.is_dir() and not run.is_symlink())


def link_latest(folder: Path) -> None:
    """Point `latest` beside a run to it."""
    link = folder.parent / LATEST
    if link.is_symlink() or not link.exists():
        temporary = link.with_name(f".latest.{os.getpid()}")
        temporary.symlink_to(folder.name)
        temporary.replace(link)
