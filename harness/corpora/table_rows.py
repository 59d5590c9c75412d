"""The rows of tables: of Parquet and Arrow files, of data frames, and of any collection of mappings that a caller of Python gives."""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import optional_packages
from harness.errors import HarnessError
from harness.text.characters import kind_of, one_line

_MISSING = {"NAType", "NaTType"}
"""The missing values of pandas that are no numbers."""


def row_records(source: Any, name: str, *, text: str = "") -> Iterator[Mapping[str, Any]]:
    """Yield the records of a list, a data frame, a series of mappings or any other collection of mappings; what is missing in a row is left out.

    `name` is the argument, for messages. With `text`, an item may be a text, which is the field of this name, or missing.
    Any other source or item is a `HarnessError`.
    """
    frame = hasattr(source, "columns") and not isinstance(source, Mapping)
    rows = next(
        (getattr(source, method) for method in ("to_dicts", "to_dict") if frame and hasattr(source, method)), None
    )
    if rows is not None:
        source = rows() if rows.__name__ == "to_dicts" else rows("records")
    if isinstance(source, str | bytes | Mapping) or not isinstance(source, Iterable):
        raise HarnessError(f"{name}: expected a file or records, found {kind_of(source)}")
    for place, item in enumerate(source):
        record = {text: item} if text and (isinstance(item, str) or is_missing(item)) else item
        if not isinstance(record, Mapping):
            raise HarnessError(f"{name}[{place}]: expected a mapping, found {one_line(str(record), limit=60)!r}")
        # A frame has no other way to say that a row lacks a field; a mapping that states null says so.
        stated = {key for key, value in record.items() if value is None and rows is None}
        yield {
            str(key): plain for key, value in record.items() if (plain := _plain(value)) is not None or key in stated
        }


def is_missing(value: object) -> bool:
    """Tell whether a value stands for none: `None`, NaN, or a missing value of pandas."""
    return value is None or type(value).__name__ in _MISSING or (isinstance(value, float) and math.isnan(value))


def _plain(value: Any) -> Any:
    """Return a cell as a JSON value: an array as a list, a number of numpy as one of Python, `None` where it is missing."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if is_missing(value) else value


SLICE = 256
"""Rows of a Parquet file in memory at once; an Arrow file has its own batches."""
_ARROW_FILE = b"ARROW1"
"""The first bytes of an Arrow file that is not a stream."""


def table_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a `.parquet` file, or of an `.arrow` file of streams or of files, by column; a file that cannot be read is a `HarnessError`."""
    with optional_packages(str(path)):
        import pyarrow as pa  # an extra; the library `datasets` brings it
    try:
        with path.open("rb") as file:
            packed = file.read(4) == b"PAR1"
        for batch in _parquet(path) if packed or path.suffix == ".parquet" else _batches(pa, path):
            yield from batch.to_pylist()
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise HarnessError(f"{path}: cannot be read ({str(error)[:200]})") from None


def _parquet(path: Path) -> Iterator[Any]:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as table:
        yield from table.iter_batches(batch_size=SLICE)


def _batches(arrow: Any, path: Path) -> Iterator[Any]:
    with arrow.memory_map(str(path)) as source:
        is_file = source.read(len(_ARROW_FILE)) == _ARROW_FILE
        source.seek(0)
        with arrow.ipc.open_file(source) if is_file else arrow.ipc.open_stream(source) as table:
            yield from map(table.get_batch, range(table.num_record_batches)) if is_file else table
