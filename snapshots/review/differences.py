"""The differences between snapshots and their expected text, and the failure messages that show them."""

from __future__ import annotations

import difflib
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.command_line.runnable_commands import runnable
from harness.text.characters import one_line, spaced_line
from snapshots.snapshot_files import MUTATIONS, read
from snapshots.texts.subjects import NoDataError, TraceSubject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from snapshots.snapshot_files import SnapshotKind
    from snapshots.texts.subjects import Subject

MOST_LINES = 40
LONGEST_LINE = 300
AROUND = 2
ADVICE = "look at the change, and accept it if it is intended"


@dataclass(frozen=True, slots=True)
class SnapshotChange:
    """A snapshot that differs from its expected text: `before` is `None` if it is new, `after` if it has no subject."""

    path: Path
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class SnapshotComparison:
    """The changes, the number of compared snapshots of each kind, and the reasons why others could not be compared."""

    changes: tuple[SnapshotChange, ...]
    compared: Mapping[SnapshotKind, int]
    absent: tuple[str, ...]


def expected_text(subject: Subject) -> str:
    """Return the text that the snapshot of a subject should hold.

    Raises:
        NoDataError: its data are not on this machine.
    """
    # Imported here: every session that collects the suites imports this module.
    if isinstance(subject, TraceSubject):
        from snapshots.texts.traces import traces_text

        return traces_text(subject)
    if subject.kind == MUTATIONS:
        from snapshots.texts.mutations import mutations_text

        return mutations_text(subject)
    from snapshots.texts.variants import variants_text

    return variants_text(subject)


def compare(home: Path, subjects: Iterable[Subject], left_over: Iterable[Path] = ()) -> SnapshotComparison:
    """Compare the snapshots of subjects with their expected texts; files that are `left_over` are to be removed."""
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
    """Return the message of a failure: the lines that differ, and the next command."""
    if before is None:
        return f"has no snapshot {shown_path(path)} yet\n{_advice()}"
    lines = list(difference(before, after))
    cut = lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        cut.append(f"… and {len(lines) - MOST_LINES} more lines")
    return "\n".join([f"differs from {shown_path(path)}", *cut, _advice()])


def _advice() -> str:
    return f"{ADVICE}: {runnable('make snapshots')}"


def left_over_message(kind: SnapshotKind, paths: Sequence[Path]) -> str:
    """Return the message of a failure: the files without a subject, and the next command."""
    names = "\n".join(f"  {shown_path(path)}" for path in paths)
    return f"{len(paths)} unused, of no {kind.of} of the suite:\n{names}\nremove them: {runnable('make snapshots')}"


def difference(before: str, after: str) -> Iterator[str]:
    """Yield the changed lines, marked `-` and `+`, with a few lines around them."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=AROUND, lineterm="")
    for line in lines:
        if not line.startswith(("---", "+++")):
            yield spaced_line(line, limit=LONGEST_LINE)


def shown_path(path: Path) -> str:
    """Return a path, relative if it is below the current folder."""
    return one_line(os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path))
