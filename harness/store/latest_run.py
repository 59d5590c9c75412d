"""The name `latest` of a run: the run that sealed a wanted stage last."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from harness.store.run_folder import RunFolder

LATEST = "latest"


def with_stage(folder: Path, *stages: str) -> Path:
    """Return the run that a path stands for.

    `latest` is the run beside it that sealed one of the stages last, as far as any did; every other path is itself.
    """
    return _latest(folder, lambda run: (RunFolder(run).stage(stage).manifest_path for stage in stages))


def on_inputs(folder: Path, fingerprint: str) -> Path:
    """Return the run that a path stands for: `latest` is the run beside it that was begun last on the same inputs, if any was."""

    def claims(run: Path) -> Iterable[Path]:
        return [RunFolder(run).fingerprint_path] if RunFolder(run).fingerprint() == fingerprint else []

    return _latest(folder, claims)


def _latest(folder: Path, files: Callable[[Path], Iterable[Path]]) -> Path:
    """Return the run beside `latest` with the newest of these files, any other path and one without such a run itself."""
    if folder.name != LATEST or (folder.exists() and not folder.is_symlink()) or not folder.parent.is_dir():
        return folder
    runs = [run for run in folder.parent.iterdir() if run.is_dir() and not run.is_symlink()]
    times = [(path.stat().st_mtime_ns, run.name) for run in runs for path in files(run) if path.is_file()]
    return folder.with_name(max(times)[1]) if times else folder


def link_latest(folder: Path) -> None:
    """Point `latest` beside a run to it."""
    link = folder.parent / LATEST
    if link.is_symlink() or not link.exists():
        temporary = link.with_name(f".latest.{os.getpid()}")
        temporary.symlink_to(folder.name)
        temporary.replace(link)
