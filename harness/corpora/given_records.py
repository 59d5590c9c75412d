"""Records that a caller of Python gives: mappings in a list, a generator, a data frame, a series or a data set."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.errors import HarnessError
from harness.text.characters import kind_of, one_line

_MISSING = {"NAType", "NaTType"}
"""The missing values of pandas that are no numbers."""


def given_records(source: Any, name: str, *, text: str = "") -> Iterator[Mapping[str, Any]]:
    """Yield the records of a list, a data frame, a series of mappings or any other collection of mappings; what is missing in a row is left out.

    `name` is the argument, for messages. With `text`, an item may be a text, which is the field of this name, or missing.

    Raises:
        HarnessError: it is none of these, or an item is no mapping.
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
