"""Writing CSV lines that every CSV reader reads back unchanged, and reading CSV files of other tools."""

from __future__ import annotations

import csv
import io
from itertools import zip_longest
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LONGEST_CELL = 32_000_000


def csv_lines(header: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield a header and rows, each with its line end; `None` is an empty cell, truth values are `true` and `false`."""
    yield _line(header)
    for row in rows:
        yield _line(row)


def csv_records(path: Path) -> Iterator[tuple[int, dict[str, str | None] | ValueError]]:
    """Yield the number of each row, from one, and its cells by column name; a row with too many cells gives an error.

    Missing cells at the end of a row are `None`. NUL, which no CSV reader accepts, becomes U+FFFD.

    Raises:
        HarnessError: the file cannot be read.
    """
    csv.field_size_limit(LONGEST_CELL)
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            reader = csv.reader(line.replace("\x00", "\ufffd") for line in lines)
            header = [name.strip() for name in next(reader, [])]
            for number, cells in enumerate((cells for cells in reader if cells), start=1):
                if len(cells) > len(header):
                    yield number, ValueError(f"{len(cells)} cells where the header names {len(header)}")
                else:
                    yield number, dict(zip_longest(header, cells))
    except (OSError, csv.Error) as error:
        message = f"{path}: cannot be read ({error})"
        raise HarnessError(message) from None


def _line(cells: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_cell(cell) for cell in cells])
    return text.getvalue()


def _cell(value: object) -> object:
    # JSON may contain NUL, which no CSV reader accepts.
    return (
        str(value).lower()
        if isinstance(value, bool)
        else value.replace("\x00", "\ufffd")
        if isinstance(value, str)
        else value
    )
