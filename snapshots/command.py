"""The command `oracle-factory snapshots`: it shows changed snapshots and updates those that a person accepts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from harness.command_line.option_types import require_at_most_one
from harness.errors import HarnessError
from harness.text.characters import one_line
from snapshots.review.diff_view import print_change
from snapshots.snapshot_files import HOME, KINDS, left_over_files, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from snapshots.review.differences import SnapshotChange, SnapshotComparison
    from snapshots.texts.subjects import Subject

QUESTION = "accept this change? [y]es, [N]o, [a]ll that follow, [q]uit: "


def snapshots(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Problems and operators to compare; all by default.")
    ] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Accept every change without asking.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Show the changes only; exit with 1 if there are any.")
    ] = False,
) -> int:
    """Show changed snapshots, and update those that are accepted.

    Each change is shown side by side; a question at the terminal asks whether to accept it.

    Example: oracle-factory snapshots mini-001 off_by_n

    Returns:
        0; 1 if a snapshot differs and no question was asked; 2 on misuse.
    """
    from snapshots.review.differences import compare
    from snapshots.texts.subjects import subjects

    require_at_most_one({"--yes": yes, "--check": check})
    everything = subjects()
    chosen = [subject for subject in everything if not names or subject.name in names]
    if unknown := set(names or ()) - {subject.name for subject in chosen}:
        named = ", ".join(sorted(map(repr, unknown)))
        raise HarnessError(
            f"{named}: expected the name of a problem or an operator that has a snapshot, such as 'mini-001' or 'off_by_n'"
        )
    comparison = compare(HOME, chosen, [] if names else _left_over(everything))
    console = Console(highlight=False)
    _print_counts(console, comparison)
    if not comparison.changes:
        return 0
    if yes:
        _show_all(console, comparison.changes)
        return _conclude(console, comparison.changes, list(comparison.changes))
    if check:
        _show_all(console, comparison.changes)
        return 1
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        _show_all(console, comparison.changes)
        sys.stderr.write(
            "oracle-factory snapshots: nothing was updated, because questions need a terminal; run it in one, or accept all with --yes\n"
        )
        return 1
    return _conclude(console, comparison.changes, _ask(console, comparison.changes))


def _print_counts(console: Console, comparison: SnapshotComparison) -> None:
    """Print how many snapshots were compared, how many differ, and why others could not be compared."""
    differing = len(comparison.changes)
    said = "none differs" if not differing else "1 differs" if differing == 1 else f"{differing} differ"
    console.print(f"{_counted(comparison)} compared with their snapshots: {said}")
    for reason in dict.fromkeys(comparison.absent):
        console.print(Text(f"{comparison.absent.count(reason)} left out: {one_line(reason, limit=300)}"))


def _counted(comparison: SnapshotComparison) -> str:
    """Return the number of compared snapshots of each kind in words."""
    counts = ((kind.of, comparison.compared.get(kind, 0)) for kind in KINDS)
    said = [f"{count} {of}{'' if count == 1 else 's'}" for of, count in counts if count]
    return " and ".join(said) or "nothing"


def _left_over(everything: Sequence[Subject]) -> list[Path]:
    """Return the files that are the snapshot of no subject, by kind."""
    return [
        path
        for kind in KINDS
        for path in left_over_files(kind, HOME, (subject.name for subject in everything if subject.kind == kind))
    ]


def _show_all(console: Console, changes: Sequence[SnapshotChange]) -> None:
    for number, change in enumerate(changes, start=1):
        print_change(change, console, place=f"{number}/{len(changes)}")


def _ask(console: Console, changes: Sequence[SnapshotChange]) -> list[SnapshotChange]:
    """Show the changes in turn and return those that are accepted; the end of the input counts as `q`."""
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
