"""The rows of tables in Parquet and Arrow files, as the library `datasets` and others write them, read in slices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.command_line.optional_packages import optional_packages
from harness.errors import HarnessError

SLICE = 256
"""Rows of a Parquet file in memory at once; an Arrow file has its own batches."""
_ARROW_FILE = b"ARROW1"
"""The first bytes of an Arrow file that is not a stream."""


def table_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a `.parquet` file, or of an `.arrow` file in the format of streams or of files, by the names of the columns.

    Raises:
        HarnessError: Arrow is not installed, or the file cannot be read.
    """
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
