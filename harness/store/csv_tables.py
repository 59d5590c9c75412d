"""Writing CSV lines that every CSV reader reads back unchanged, and reading CSV files of other tools."""

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from harness.errors import HarnessError

LONGEST_CELL = 32_000_000


def csv_lines(header: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield a header and rows, each with its line end; `None` is an empty cell, truth values are `true` and `false`."""
    for row in chain([header], rows):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(
            str(cell).lower() if isinstance(cell, bool) else _without_nul(cell) for cell in row
        )
        yield text.getvalue()


def csv_records(path: Path) -> Iterator[tuple[int, dict[str, str | None] | ValueError]]:
    """Yield the number of each row, from one, and its cells by column name; a row with too many cells gives an error.

    Missing cells at the end of a row are `None`. NUL, which no CSV reader accepts, becomes U+FFFD.

    Raises:
        HarnessError: the file cannot be read.
    """
    csv.field_size_limit(LONGEST_CELL)
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            reader = csv.reader(map(_without_nul, lines))
            header = [name.strip() for name in next(reader, [])]
            for number, cells in enumerate((cells for cells in reader if cells), start=1):
                if len(cells) > len(header):
                    yield number, ValueError(f"{len(cells)} cells where the header names {len(header)}")
                else:
                    yield number, dict(zip_longest(header, cells))
    except (OSError, csv.Error) as error:
        raise HarnessError(f"{path}: cannot be read ({error})") from None


def _without_nul(cell: Any) -> Any:
    return cell.replace("\x00", "\ufffd") if isinstance(cell, str) else cell
