"""Where does the snapshot of a problem stand, and which files there belong to no problem any more?"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from harness.store import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).resolve().parent / "__snapshots__" / "test_traces"
"""Where syrupy looks for the snapshots of `test_traces.py`."""
SUFFIX = "trace.txt"
LONGEST_STEM = 150


def stem(problem_id: str) -> str:
    """Return the name of a problem's snapshot without its suffix: the id, what no file name should hold as `%2F`.

    It is no path, is not hidden, and is no other id's.
    """
    text = quote(problem_id, safe="", errors="surrogatepass").replace("~", "%7E")
    text = f"%2E{text[1:]}" if text.startswith(".") else text
    if 0 < len(text) <= LONGEST_STEM:
        return text
    digest = hashlib.sha256(problem_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{text[: LONGEST_STEM - 17]}~{digest}"


def path_of(folder: Path, problem_id: str) -> Path:
    """Return where the snapshot of a problem stands."""
    return folder / f"{stem(problem_id)}.{SUFFIX}"


def read(path: Path) -> str | None:
    """Return what a snapshot says, `None` where there is none; a byte that is no text is shown escaped."""
    try:
        return path.read_text(encoding="utf-8", errors="backslashreplace")
    except FileNotFoundError:
        return None


def write(path: Path, text: str) -> None:
    """Replace a snapshot whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text)


def stale(folder: Path, problem_ids: Iterable[str]) -> list[Path]:
    """Return the files that stand in a folder of snapshots and belong to none of the problems, sorted."""
    owned = {path_of(folder, problem_id) for problem_id in problem_ids}
    return sorted(path for path in folder.rglob("*") if path not in owned and (path.is_symlink() or not path.is_dir()))
