"""What differs between a snapshot and what it should say, shown so that a person can judge it?"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.plugin import one_line
from snapshots.files import path_of, read
from snapshots.subjects import NoDataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from snapshots.subjects import Subject

MOST_LINES = 40
LONGEST_LINE = 300
AROUND = 2
HOW = "review it, and accept it if it is meant, by: make snapshots"


@dataclass(frozen=True, slots=True)
class Change:
    """A snapshot that differs from what it should say: `before` is `None` where it is new, `after` where it is stale."""

    path: Path
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes there are, how many snapshots were compared, and the reasons why others could not be."""

    changes: tuple[Change, ...]
    compared: int
    absent: tuple[str, ...]


def compare(folder: Path, subjects: Iterable[Subject], left_over: Iterable[Path] = ()) -> Comparison:
    """Compare the snapshots of subjects with what they should say; those left over are to go."""
    from snapshots.traces import snapshot_text  # the suite, which shows differences, imports it when it runs

    changes: list[Change] = []
    absent: list[str] = []
    compared = 0
    for subject in subjects:
        try:
            after = snapshot_text(subject)
        except NoDataError as reason:
            absent.append(str(reason))
            continue
        compared += 1
        path = path_of(folder, subject.problem_id)
        before = read(path)
        if before != after:
            changes.append(Change(path, before, after))
    changes += [Change(path, read(path), None) for path in left_over]
    return Comparison(tuple(changes), compared, tuple(absent))


def finding(path: Path, before: str | None, after: str) -> str:
    """Say in a failure what differs and how to go on."""
    if before is None:
        return f"has no snapshot {shown_path(path)} yet\n{HOW}"
    lines = list(difference(before, after))
    cut = lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        cut.append(f"… and {len(lines) - MOST_LINES} more lines")
    return "\n".join([f"differs from {shown_path(path)}", *cut, HOW])


def stale_finding(paths: Sequence[Path]) -> str:
    """Say in a failure which snapshots are of no problem and how to go on."""
    names = "\n".join(f"  {shown_path(path)}" for path in paths)
    return f"{len(paths)} unused, of no problem of the suite:\n{names}\nremove them by: make snapshots"


def difference(before: str, after: str) -> Iterator[str]:
    """Yield the changed lines, marked `-` and `+`, with a few lines around them."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=AROUND, lineterm="")
    for line in lines:
        if not line.startswith(("---", "+++")):
            yield one_line(line, LONGEST_LINE)


def shown_path(path: Path) -> str:
    """Return a path as one types it here, if it is below."""
    return one_line(os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path))
