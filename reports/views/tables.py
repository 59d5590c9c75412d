"""Tables and sections: what a view returns, for whatever medium draws it."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.domain import Status

MOST_NARROW = 7
"""Columns of a table that has room beside another one."""


class Kind(enum.StrEnum):
    """The values of a column, which decide how it is drawn."""

    TEXT = "text"
    """Words, on several lines where they are long."""
    NAME = "name"
    """A name that is cut where there is too little room."""
    NUMBER = "number"
    """A count (`int`), a share (`float`) or another figure, set to the right."""
    BAR = "bar"
    """A share from 0 to 1, drawn as a bar."""


class Tone(enum.StrEnum):
    """The weight of a text."""

    PLAIN = ""
    GOOD = "good"
    FAIR = "fair"
    BAD = "bad"
    WEAK = "weak"
    STRONG = "strong"


STATUS_TONES = {Status.CONFIRMED: Tone.GOOD, Status.UNKNOWN: Tone.FAIR, Status.REFUTED: Tone.BAD}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value that is not plain.

    `note` stands smaller below it, `tip` says more where one points at it, `address` is the place of a page that it links. `share`,
    from 0 to 1, shades it; `interval` are the ends of its interval between 0 and 1.
    """

    value: str | float | None
    tone: Tone = Tone.PLAIN
    note: str = ""
    tip: str = ""
    address: str = ""
    share: float | None = None
    interval: tuple[float, float] | None = None


Value = Cell | str | float | None
Row = Sequence[Value]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, its kind, and the tone of its cells."""

    title: str
    kind: Kind = Kind.TEXT
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its first column names the rows. `empty` is said where it has none, `headless` leaves out the titles."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    empty: str = "none"
    headless: bool = False

    @property
    def is_wide(self) -> bool:
        """Tell whether it needs the whole width of a page."""
        return len(self.columns) > MOST_NARROW


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph of foreign and own words; `command` is one to copy, which no medium breaks."""

    text: str
    tone: Tone = Tone.PLAIN
    command: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it; no page draws what is for the `terminal`, `closed` hides the rest until it is asked for."""

    title: str
    blocks: Sequence[Table | Prose]
    terminal: bool = False
    closed: bool = False


def plain(value: Value) -> Cell:
    """Return a value as a cell."""
    return value if isinstance(value, Cell) else Cell(value)


def value_text(value: str | float | None) -> str:
    """Return a value in words: 1234 as `1,234`, 0 as `·`, a share as `12.5%`, nothing as `–`."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.1%}"
    if isinstance(value, int):
        return f"{value:,}" if value else "·"
    return value


def numbers(*titles: str) -> list[Column]:
    """Return columns of figures."""
    return [Column(title, Kind.NUMBER) for title in titles]


def count_table(title: str, counts: Mapping[str, int]) -> Table:
    """Return names with their counts and their shares of the largest one, in the order given."""
    most = max(counts.values(), default=0) or 1
    rows: list[Row] = [[name, count, count / most] for name, count in counts.items()]
    columns = [Column(title, Kind.NAME), *numbers("count"), Column("", Kind.BAR)]
    return Table(columns, rows if any(counts.values()) else ())


def status_table(title: str, counts: Mapping[tuple[str, str], int], empty: str) -> Table:
    """Return counts by name and status as a row a name, that of the most first."""
    rows = {name: [counts.get((name, status.name), 0) for status in STATUS_TONES] for name, _ in counts}
    columns = [Column(status.name.lower(), Kind.NUMBER, tone) for status, tone in STATUS_TONES.items()]
    ordered = sorted(rows.items(), key=lambda row: (-sum(row[1]), row[0]))
    return Table([Column(title, Kind.NAME), *columns], [[name, *found] for name, found in ordered], empty)


def steps_table(steps: Sequence[tuple[str, int, int]]) -> Table:
    """Return steps with what reached each, of how many."""
    rows: list[Row] = []
    for title, count, of in steps:
        share = count / of if of else None
        rows.append([title, f"{count:,}", "" if count == of or not of else share, share])
    columns = [Column("step", Kind.NAME), *numbers("count", "share"), Column("", Kind.BAR)]
    return Table(columns, rows, headless=True)


def ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return names and their counts, the highest count first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def command_section(commands: Mapping[str, str]) -> Section:
    """Return the next commands by what they are for."""
    wide = max(map(len, commands))
    lines = [Prose(f"{label:<{wide}}  {command}", Tone.STRONG, command=True) for label, command in commands.items()]
    return Section("", lines, terminal=True)
