"""The command that shows changed snapshots, asks about each change, and updates those that are accepted."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from harness.plugin import one_line
from snapshots.review.diff_view import print_change
from snapshots.review.differences import compare
from snapshots.snapshot_files import HOME, KINDS, left_over_files, write
from snapshots.texts.subjects import subjects

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from snapshots.review.differences import SnapshotChange, SnapshotComparison
    from snapshots.texts.subjects import Subject

QUESTION = "take this over? [y]es, [N]o, [a]ll from here on, [q]uit: "


def main(arguments: Sequence[str] | None = None) -> int:
    """Show what changed side by side, ask about each change, and update exactly what is accepted.

    Returns:
        0, or 1 where something differs and nobody was there to judge it, or 2 on misuse.
    """
    options = _parser().parse_args(arguments)
    everything = subjects()
    chosen = [subject for subject in everything if not options.names or subject.name in options.names]
    if unknown := set(options.names) - {subject.name for subject in chosen}:
        named = ", ".join(sorted(map(repr, unknown)))
        sys.stderr.write(
            f"snapshots: no snapshot is of {one_line(named)}; names are 'mini-001', 'off_by_n' and the like\n"
        )
        return 2
    found = compare(HOME, chosen, [] if options.names else _left_over(everything))
    console = Console(highlight=False)
    _tell(console, found)
    if not found.changes:
        return 0
    if options.yes:
        _show_all(console, found.changes)
        return _conclude(console, found.changes, list(found.changes))
    if options.check:
        _show_all(console, found.changes)
        return 1
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        _show_all(console, found.changes)
        sys.stderr.write(
            "snapshots: nothing was updated, since there is no terminal to ask at; run it in one, or accept all by --yes\n"
        )
        return 1
    return _conclude(console, found.changes, _ask(console, found.changes))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m snapshots",
        description="Show what changed in the snapshots side by side, ask about each, and update what is accepted.",
    )
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="look at these problems and operators only (default: all)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--yes", action="store_true", help="accept every change without asking")
    how.add_argument("--check", action="store_true", help="only show; exit with 1 if anything differs")
    return parser


def _tell(console: Console, found: SnapshotComparison) -> None:
    """Say how much was compared, how much differs, and what could not be compared."""
    differing = len(found.changes)
    said = "none differs" if not differing else "1 differs" if differing == 1 else f"{differing} differ"
    console.print(f"{_counted(found)} compared with what the snapshots say: {said}")
    for reason in dict.fromkeys(found.absent):
        console.print(Text(f"{found.absent.count(reason)} left out: {one_line(reason)}"))


def _counted(found: SnapshotComparison) -> str:
    """Say of how many problems and operators snapshots were compared."""
    counts = ((kind.of, found.compared.get(kind, 0)) for kind in KINDS)
    said = [f"{count} {of}{'' if count == 1 else 's'}" for of, count in counts if count]
    return " and ".join(said) or "nothing"


def _left_over(everything: Sequence[Subject]) -> list[Path]:
    """Return the files of nothing, kind by kind."""
    return [
        path
        for kind in KINDS
        for path in left_over_files(kind, HOME, (subject.name for subject in everything if subject.kind == kind))
    ]


def _show_all(console: Console, changes: Sequence[SnapshotChange]) -> None:
    for number, change in enumerate(changes, start=1):
        print_change(change, console, place=f"{number}/{len(changes)}")


def _ask(console: Console, changes: Sequence[SnapshotChange]) -> list[SnapshotChange]:
    """Show one change after the other and return those accepted; the end of input is `q`."""
    accepted: list[SnapshotChange] = []
    for number, change in enumerate(changes, start=1):
        print_change(change, console, place=f"{number}/{len(changes)}")
        try:
            answer = console.input(Text(QUESTION)).strip().lower()
        except (EOFError, KeyboardInterrupt):
            console.print()
            answer = "q"
        if answer in {"q", "quit"}:
            break
        if answer in {"a", "all"}:
            return [*accepted, *changes[number - 1 :]]
        if answer in {"y", "yes"}:
            accepted.append(change)
    return accepted


def _conclude(console: Console, changes: Sequence[SnapshotChange], accepted: Sequence[SnapshotChange]) -> int:
    for change in accepted:
        if change.after is None:
            change.path.unlink()
        else:
            write(change.path, change.after)
    left = len(changes) - len(accepted)
    console.print(
        f"{len(accepted)} updated" + (f", {left} left as {'it was' if left == 1 else 'they were'}" if left else "")
    )
    return 0


if __name__ == "__main__":
    # A terminal that lacks a character shows its escape; the review goes on.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are text streams
    sys.exit(main())
