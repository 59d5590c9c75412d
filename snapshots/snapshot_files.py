"""The files of snapshots: kinds, folders, file names, atomic writing, and the search for left-over files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from harness.store.run_folder import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable

HOME = Path(__file__).resolve().parent / "__snapshots__"
"""The folder of the snapshots, with a folder for each suite."""
LONGEST_STEM = 150


@dataclass(frozen=True, slots=True)
class SnapshotKind:
    """A kind of snapshots: its marker, the suite that compares them, and the noun of a subject."""

    marker: str
    suite: str
    of: str

    @property
    def suffix(self) -> str:
        """Return the end of the names of its files."""
        return f"{self.marker}.txt"

    def folder(self, home: Path) -> Path:
        """Return the folder of its snapshots."""
        return home / self.suite

    def path_of(self, home: Path, name: str) -> Path:
        """Return the path of the snapshot with a name."""
        return self.folder(home) / f"{stem(name)}.{self.suffix}"


TRACES = SnapshotKind("trace", "test_traces", "problem")
MUTATIONS = SnapshotKind("mutation", "test_mutations", "operator")
VARIANTS = SnapshotKind("variant", "test_variants", "variant operator")
KINDS = (TRACES, MUTATIONS, VARIANTS)


def kind_of_suite(suite: str) -> SnapshotKind:
    """Return the kind whose snapshots a suite compares.

    Raises:
        ValueError: there is no such suite.
    """
    for kind in KINDS:
        if kind.suite == suite:
            return kind
    message = f"{suite!r}: expected a suite of snapshots: {', '.join(kind.suite for kind in KINDS)}"
    raise ValueError(message)


def stem(name: str) -> str:
    """Return the name of a snapshot's file without its suffix, with special characters escaped, such as `%2F`.

    Different names give different stems; a stem is not a path and not hidden.
    """
    text = quote(name, safe="", errors="surrogatepass").replace("~", "%7E")
    text = f"%2E{text[1:]}" if text.startswith(".") else text
    if 0 < len(text) <= LONGEST_STEM:
        return text
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{text[: LONGEST_STEM - 17]}~{digest}"


def read(path: Path) -> str | None:
    """Return the text of a snapshot with invalid bytes escaped, `None` if the file is missing."""
    try:
        return path.read_text(encoding="utf-8", errors="backslashreplace")
    except FileNotFoundError:
        return None


def write(path: Path, text: str) -> None:
    """Replace a snapshot atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text)


def left_over_files(kind: SnapshotKind, home: Path, names: Iterable[str]) -> list[Path]:
    """Return the files in the folder of a kind that are the snapshot of none of the names, sorted."""
    owned = {kind.path_of(home, name) for name in names}
    paths = kind.folder(home).rglob("*")
    return sorted(path for path in paths if path not in owned and (path.is_symlink() or not path.is_dir()))
