"""Drawing of sections and tables in the terminal: all foreign text is made printable here."""

import json
from collections.abc import Iterable

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from harness.json_form import json_form
from harness.text.characters import one_line, printable
from reports.views.run_summary import ProblemSummary, Room, RunSummary
from reports.views.tables import Column, Kind, Prose, Section, Table, Value, plain, value_text

STYLES = {"": "", "good": "green", "fair": "yellow", "bad": "red", "weak": "dim", "strong": "bold"}
_BAR, _NAME, _INDENT = 24, 8, 2
BRIEF_LINES = 16
"""The lines of a brief at most, on a terminal of at least 60 columns; a command to copy is one."""


def print_sections(console: Console, sections: Iterable[Section]) -> None:
    """Print sections; but for commands, no line is wider than the console."""
    for number, section in enumerate(sections):
        if number:
            console.print()
        if section.title:
            console.print(Text(one_line(section.title), style="bold", overflow="fold"))
        indent = _INDENT if section.title else 0
        for block in section.blocks:
            drawn = drawn_block(block, console)
            if isinstance(block, Prose) and block.command:
                console.print(drawn, soft_wrap=True)
            else:
                console.print(Padding(drawn, (0, 0, 0, indent), expand=False))


def print_brief(brief: RunSummary | ProblemSummary, console: Console, *, as_json: bool = False) -> None:
    """Print a brief as one JSON object, or in at most BRIEF_LINES lines with as much as has room."""
    if as_json:
        console.print(json.dumps(json_form(brief)), markup=False, soft_wrap=True)
        return
    for room in Room.of(console.width):
        with console.capture() as capture:
            print_sections(console, brief.sections(room))
        if capture.get().count("\n") <= BRIEF_LINES:
            break
    print_sections(console, brief.sections(room))


def drawn_block(table: Table | Prose, console: Console) -> RenderableType:
    """Return a paragraph or a table; where the figures of a table alone are wider than the console, that they are."""
    if isinstance(table, Prose):
        return Text(printable(table.text), style=STYLES[table.tone], overflow="fold")
    if not table.rows:
        return Text(table.empty, style="dim")
    widths = [_least_width(table, place) for place in range(len(table.columns))]
    if sum(widths) > console.width - _INDENT:
        return Text("wider than this terminal", style="dim")
    longest = min(_BAR, console.width - sum(widths) - 3 * _NAME)
    shown = [place for place, column in enumerate(table.columns) if column.kind is not Kind.BAR or longest >= _NAME]
    drawn = RichTable(
        box=None if table.headless else box.SIMPLE_HEAD,
        show_header=not table.headless,
        show_edge=False,
        pad_edge=False,
        padding=(0, 2 if table.headless else 1, 0, 0),
    )
    for place in shown:
        column = table.columns[place]
        is_name = column.kind is Kind.NAME
        drawn.add_column(
            Text(one_line(column.title)),
            style=STYLES[column.tone],
            justify="right" if column.kind is Kind.NUMBER else "left",
            no_wrap=is_name,
            overflow="ellipsis" if is_name else "fold",
            min_width=widths[place] - 1 if column.kind is Kind.NUMBER else None,
            max_width=console.width // 3 if is_name and 0 < place < len(table.columns) - 1 else None,
        )
    for row in table.rows:
        cells = (_cell(row[place], table.columns[place], longest, console) for place in shown if place < len(row))
        drawn.add_row(*cells)
    return drawn


def _cell(value: Value, column: Column, longest: int, console: Console) -> Text:
    cell = plain(value)
    if column.kind is Kind.BAR:
        share = float(cell.value or 0)
        block = "#" if console.options.ascii_only else "█"
        return Text(block * (max(1, round(share * longest)) if share and longest else 0), style="cyan")
    shown = value_text(cell.value)
    indent = len(shown) - len(shown.lstrip(" "))
    text = Text(" " * indent + one_line(shown), style=STYLES[cell.tone])
    return text.append(f"\n{one_line(cell.note)}", style="dim") if cell.note else text


def _least_width(table: Table, place: int) -> int:
    """Return the width of the figures of a column, a little room for a column of words, none for one of bars."""
    kind = table.columns[place].kind
    if kind is not Kind.NUMBER:
        return 0 if kind is Kind.BAR else _NAME
    return 1 + max(len(value_text(plain(row[place]).value)) for row in table.rows if place < len(row))
