"""The command `oracle-factory snapshots`, which shows changed snapshots, asks about each change, and updates those that are accepted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from harness.command_options import require_at_most_one
from harness.errors import HarnessError
from harness.text.printable_text import one_line
from snapshots.review.diff_view import print_change
from snapshots.snapshot_files import HOME, KINDS, left_over_files, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from snapshots.review.differences import SnapshotChange, SnapshotComparison
    from snapshots.texts.subjects import Subject

QUESTION = "take this over? [y]es, [N]o, [a]ll from here on, [q]uit: "


def snapshots(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="These problems and operators only; all by default.")
    ] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Accept every change without asking.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only show; exit with 1 if anything differs.")] = False,
) -> int:
    """Show changed snapshots, and update what is accepted.

    Each change is shown side by side, and accepted or refused at the terminal.

    Example: oracle-factory snapshots mini-001 off_by_n

    Returns:
        0; 1 if something differs and nobody judged it; 2 on misuse.
    """
    from snapshots.review.differences import compare
    from snapshots.texts.subjects import subjects

    require_at_most_one({"--yes": yes, "--check": check})
    everything = subjects()
    chosen = [subject for subject in everything if not names or subject.name in names]
    if unknown := set(names or ()) - {subject.name for subject in chosen}:
        named = ", ".join(sorted(map(repr, unknown)))
        raise HarnessError(f"no snapshot is of {named}; names are 'mini-001', 'off_by_n' and the like")
    found = compare(HOME, chosen, [] if names else _left_over(everything))
    console = Console(highlight=False)
    _tell(console, found)
    if not found.changes:
        return 0
    if yes:
        _show_all(console, found.changes)
        return _conclude(console, found.changes, list(found.changes))
    if check:
        _show_all(console, found.changes)
        return 1
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        _show_all(console, found.changes)
        sys.stderr.write(
            "oracle-factory snapshots: nothing was updated, since there is no terminal to ask at; run it in one, or accept all by --yes\n"
        )
        return 1
    return _conclude(console, found.changes, _ask(console, found.changes))


def _tell(console: Console, found: SnapshotComparison) -> None:
    """Say how much was compared, how much differs, and what could not be compared."""
    differing = len(found.changes)
    said = "none differs" if not differing else "1 differs" if differing == 1 else f"{differing} differ"
    console.print(f"{_counted(found)} compared with what the snapshots say: {said}")
    for reason in dict.fromkeys(found.absent):
        console.print(Text(f"{found.absent.count(reason)} left out: {one_line(reason, limit=300)}"))


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
