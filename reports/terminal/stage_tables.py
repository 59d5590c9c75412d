"""Terminal tables of figures, discard reasons and counts, shared by the stage summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness.text.characters import one_line

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping

    from rich.console import Console, RenderableType

    from reports.views.certified_stage import DiscardReason

_INDENT = 2


def print_sections(console: Console, sections: Iterable[tuple[str, RenderableType]]) -> None:
    """Print sections with their titles."""
    for title, body in sections:
        console.print(Text(f"\n{title}", style="bold"))
        console.print(Padding(body, (0, 0, 0, _INDENT), expand=False))


def figures() -> Table:
    """Return an empty table with a line below its head."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def figure(count: int) -> str:
    """Return a count as text, a dot for 0."""
    return f"{count:,}" if count else "·"


def discards(refused: int, discarded: Counter[str], reason_of: Callable[[str], DiscardReason]) -> Text:
    """Return a line with the number of refused certificates and of discarded changes by reason."""
    text = Text()
    if refused:
        text.append(f"{refused:,} refused a certificate", style="bold red")
    for why, count in discarded.most_common():
        text.append(f"{', ' if text else ''}{count:,} {one_line(reason_of(why).brief)}")
    return text


def reasons(discarded: Counter[str], reason_of: Callable[[str], DiscardReason]) -> RenderableType:
    """Return a table of discard reasons, the most frequent first."""
    if not discarded:
        return Text("none", style="dim")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(overflow="fold", style="dim")
    for why, count in discarded.most_common():
        reason = reason_of(why)
        table.add_row(f"{count:,}", Text(one_line(reason.brief)), Text(one_line(reason.sentence)))
    return table


def counts(counted: Mapping[str, int]) -> RenderableType:
    """Return a table of names and counts, the highest count first."""
    if not counted:
        return Text("none", style="dim")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for name, count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(f"{count:,}", Text(one_line(name)))
    return table
