"""The differences between snapshots and their expected text, and the failure messages that show them."""

from __future__ import annotations

import difflib
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.text.printable_text import one_line, spaced_line
from snapshots.snapshot_files import MUTATIONS, read
from snapshots.texts.subjects import NoDataError, TraceSubject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from snapshots.snapshot_files import SnapshotKind
    from snapshots.texts.subjects import Subject

MOST_LINES = 40
LONGEST_LINE = 300
AROUND = 2
HOW = "review it, and accept it if it is meant, by: make snapshots"


@dataclass(frozen=True, slots=True)
class SnapshotChange:
    """A snapshot that differs from what it should say: `before` is `None` where it is new, `after` where it is stale."""

    path: Path
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class SnapshotComparison:
    """The changes there are, how many snapshots of each kind were compared, and the reasons why others could not be."""

    changes: tuple[SnapshotChange, ...]
    compared: Mapping[SnapshotKind, int]
    absent: tuple[str, ...]


def expected_text(subject: Subject) -> str:
    """Return what the snapshot of a subject should say.

    Raises:
        NoDataError: what it takes is not on this machine.
    """
    # The suites, which show differences, are collected in sessions that make none of these.
    if isinstance(subject, TraceSubject):
        from snapshots.texts.traces import traces_text

        return traces_text(subject)
    if subject.kind == MUTATIONS:
        from snapshots.texts.mutations import mutations_text

        return mutations_text(subject)
    from snapshots.texts.variants import variants_text

    return variants_text(subject)


def compare(home: Path, subjects: Iterable[Subject], left_over: Iterable[Path] = ()) -> SnapshotComparison:
    """Compare the snapshots of subjects with what they should say; those left over are to go."""
    changes: list[SnapshotChange] = []
    absent: list[str] = []
    compared: Counter[SnapshotKind] = Counter()
    for subject in subjects:
        try:
            after = expected_text(subject)
        except NoDataError as reason:
            absent.append(str(reason))
            continue
        compared[subject.kind] += 1
        path = subject.kind.path_of(home, subject.name)
        before = read(path)
        if before != after:
            changes.append(SnapshotChange(path, before, after))
    changes += [SnapshotChange(path, read(path), None) for path in left_over]
    return SnapshotComparison(tuple(changes), compared, tuple(absent))


def change_message(path: Path, before: str | None, after: str) -> str:
    """Say in a failure what differs and how to go on."""
    if before is None:
        return f"has no snapshot {shown_path(path)} yet\n{HOW}"
    lines = list(difference(before, after))
    cut = lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        cut.append(f"… and {len(lines) - MOST_LINES} more lines")
    return "\n".join([f"differs from {shown_path(path)}", *cut, HOW])


def left_over_message(kind: SnapshotKind, paths: Sequence[Path]) -> str:
    """Say in a failure which snapshots are of nothing and how to go on."""
    names = "\n".join(f"  {shown_path(path)}" for path in paths)
    return f"{len(paths)} unused, of no {kind.of} of the suite:\n{names}\nremove them by: make snapshots"


def difference(before: str, after: str) -> Iterator[str]:
    """Yield the changed lines, marked `-` and `+`, with a few lines around them."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=AROUND, lineterm="")
    for line in lines:
        if not line.startswith(("---", "+++")):
            yield spaced_line(line, limit=LONGEST_LINE)


def shown_path(path: Path) -> str:
    """Return a path as one types it here, if it is below."""
    return one_line(os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path))
