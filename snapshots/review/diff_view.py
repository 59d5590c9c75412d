"""The side-by-side view of an old and a new snapshot, with unchanged lines folded."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from harness.text.characters import one_line, spaced_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from snapshots.review.differences import SnapshotChange

AROUND = 2
LONGEST_LINE = 2_000
_MARKS = {"replace": "~", "delete": "-", "insert": "+", "equal": " ", "fold": "⋯"}


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A row of both sides; `kind` is `replace`, `delete`, `insert`, `equal`, or `fold` for hidden unchanged lines."""

    kind: str
    old: str | None
    new: str | None


def diff_rows(before: str, after: str) -> Iterator[DiffRow]:
    """Yield the rows of two texts side by side, with only a few unchanged lines around each change."""
    old, new = before.split("\n"), after.split("\n")
    seen = 0
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
        yield from _fold(group[0][1] - seen)
        for kind, start, stop, first, last in group:
            yield from _stretch(kind, old[start:stop], new[first:last])
        seen = group[-1][2]
    yield from _fold(len(old) - seen)


def print_change(change: SnapshotChange, console: Console, *, place: str) -> None:
    """Print a change: both sides of a changed snapshot, else the side that there is."""
    console.rule(Text(f"{place} {one_line(change.path.name)}: {_what(change)}"), align="left")
    if change.before is None or change.after is None:
        mark, style = ("+", "green") if change.before is None else ("-", "red")
        for line in (change.before or change.after or "").splitlines():
            console.print(Text(f"{mark} {spaced_line(line, limit=LONGEST_LINE)}", style))
        return
    table = Table(box=None, show_header=True, expand=True, padding=(0, 1, 0, 0))
    table.add_column("")
    table.add_column("old", ratio=1, overflow="fold")
    table.add_column("new", ratio=1, overflow="fold")
    for row in diff_rows(change.before, change.after):
        old, new = _sides(row)
        table.add_row(Text(_MARKS[row.kind]), old, new)
    console.print(table)


def _what(change: SnapshotChange) -> str:
    if change.before is None:
        return "new"
    return "without a subject, to be removed" if change.after is None else "changed"


def _fold(lines: int) -> Iterator[DiffRow]:
    if lines:
        text = f"{lines} unchanged line{'s' if lines > 1 else ''}"
        yield DiffRow("fold", text, text)


def _stretch(kind: str, old: Sequence[str], new: Sequence[str]) -> Iterator[DiffRow]:
    """Pair the lines of a block in order; lines without a partner are deleted or inserted."""
    both = min(len(old), len(new))
    for left, right in zip(old[:both], new[:both], strict=True):
        yield DiffRow(kind, left, right)
    for left in old[both:]:
        yield DiffRow("delete", left, None)
    for right in new[both:]:
        yield DiffRow("insert", None, right)


def _sides(row: DiffRow) -> tuple[Text, Text]:
    old, new = (Text(spaced_line(side or "", limit=LONGEST_LINE)) for side in (row.old, row.new))
    if row.kind == "fold":
        old.stylize("dim italic")
        new.stylize("dim italic")
    elif row.kind == "equal":
        old.stylize("dim")
        new.stylize("dim")
    else:
        old.stylize("red")
        new.stylize("green")
        if row.kind == "replace":
            _mark_within(old, new)
    return old, new


def _mark_within(old: Text, new: Text) -> None:
    """Mark the characters in which two lines differ."""
    matcher = difflib.SequenceMatcher(None, old.plain, new.plain, autojunk=False)
    for kind, start, stop, first, last in matcher.get_opcodes():
        if kind != "equal":
            old.stylize("bold reverse", start, stop)
            new.stylize("bold reverse", first, last)
