"""How does a row become lines of CSV that anybody's reader gives back as they were?"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def csv_lines(header: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield a header and rows, each with its line end; `None` is an empty cell, truth values are `true` and `false`."""
    yield _line(header)
    for row in rows:
        yield _line(row)


def _line(cells: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_cell(cell) for cell in cells])
    return text.getvalue()


def _cell(value: object) -> object:
    # No reader of CSV takes NUL, which JSON can hold.
    return (
        str(value).lower()
        if isinstance(value, bool)
        else value.replace("\x00", "\ufffd")
        if isinstance(value, str)
        else value
    )
