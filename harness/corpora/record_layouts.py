"""The records of a file in any layout that holds them: JSON lines, a JSON array, columns, a wrapped list, CSV or TSV."""

from __future__ import annotations

import csv
import itertools
import json
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_LINE = 32_000_000
LONGEST_DOCUMENT = 500_000_000
"""Characters of a JSON array, which is read at once; JSON lines have no limit."""
CONVERT = "convert it to JSON lines, one object a line, such as by: jq -c '.[]' FILE"
_TURNS_OR_STEPS = {"messages", "conversations", "conversation", "steps"}
"""Lists of objects that belong to one record."""
_MARKS = {".csv": ",", ".tsv": "\t"}


def text_records(source: TextIO, suffix: str) -> Iterator[tuple[int, Any]]:
    """Yield the number and the record of each record of a text; `suffix` is the file's without `.gz`.

    Lines of JSON have the number of their line, and a line that is no JSON gives its error; other records are numbered from one.

    Raises:
        ValueError: the layout is not known, or a document breaks off.
    """
    lines = iter(lambda: source.readline(LONGEST_LINE), "")
    number, first = next(((place, line) for place, line in enumerate(lines, start=1) if line.strip()), (1, ""))
    opens = first.lstrip()[:1]
    if opens not in {"[", "{"} and suffix in _MARKS:
        yield from _rows(itertools.chain([first], lines), _MARKS[suffix])
        return
    follows = next((line for line in lines if line.strip()), "") if opens == "[" else ""
    if opens == "[" and isinstance(value := _json(first), list) and not follows:
        yield from _of_list(value) if value and all(isinstance(item, dict) for item in value) else [(number, value)]
        return
    rest = itertools.chain([follows] if follows else [], lines)
    if follows and isinstance(value, ValueError):
        yield from _of_list(_document(first, rest))
        return
    yield from _of_lines(first, number, rest, opens)


def _of_lines(first: str, number: int, rest: Iterator[str], opens: str) -> Iterator[tuple[int, Any]]:
    value = _json(first)
    if opens == "{" and first.strip() == "{":
        kept = list(rest)
        if any(line.strip() and isinstance(_json(line), Exception) for line in kept):
            yield from _of_object(_document(first, iter(kept)))
            return
        rest = iter(kept)  # JSON lines whose first is broken
    ahead = next(rest, "")
    if opens == "{" and not ahead and isinstance(value, dict) and _one_list(value):
        yield from _of_object(value)
        return
    for place, line in enumerate(itertools.chain([first, ahead], rest), start=number):
        if line.strip():
            yield place, _json(line)


def _of_object(value: Any) -> Iterator[tuple[int, Any]]:
    """Yield the records of a list that the object wraps, of its columns of equal length, or the object."""
    if not isinstance(value, dict):
        raise ValueError(f"holds no object; {CONVERT}")  # noqa: TRY004  # the text of the file is wrong, not a type
    wrapped = [item for item in value.values() if isinstance(item, list)]
    if _one_list(value) and all(isinstance(item, dict) for item in wrapped[0]):
        yield from _of_list(wrapped[0])
    elif value and len(wrapped) == len(value):
        if len({len(column) for column in wrapped}) > 1:
            raise ValueError(f"its columns have lists of different lengths; {CONVERT}")
        yield from enumerate((dict(zip(value, row, strict=True)) for row in zip(*wrapped, strict=True)), start=1)
    else:
        yield 1, value


def _one_list(value: dict[str, Any]) -> bool:
    """Tell whether an object is nothing but lists of records or columns, and not a record of turns or steps."""
    return bool(value) and not value.keys() & _TURNS_OR_STEPS and all(isinstance(item, list) for item in value.values())


def _of_list(value: Any) -> Iterator[tuple[int, Any]]:
    if not isinstance(value, list):
        raise ValueError(f"is no list of records; {CONVERT}")  # noqa: TRY004  # as above
    yield from enumerate(value, start=1)


def _rows(lines: Iterator[str], mark: str) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a table by the names of its first row; a row of another number of cells gives an error."""
    rows = csv.reader(lines, delimiter=mark, strict=True)
    try:
        names = next(rows, [])
        if len(set(names)) != len(names):
            raise ValueError("two columns of its first row have one name; rename one of them")
        for number, row in enumerate(filter(None, rows), start=1):
            whole = len(row) == len(names)
            yield (
                number,
                dict(zip(names, row, strict=True))
                if whole
                else ValueError(f"{len(row)} cells for {len(names)} columns"),
            )
    except csv.Error as error:
        raise ValueError(f"is no table of cells ({error})") from None


def _document(first: str, rest: Iterator[str]) -> Any:
    """Return the whole text as one JSON value."""
    parts, size = [first], len(first)
    for line in rest:
        parts.append(line)
        size += len(line)
        if size > LONGEST_DOCUMENT:
            raise ValueError(f"is one JSON document of more than {LONGEST_DOCUMENT:,} characters; {CONVERT}")
    value = _json("".join(parts))
    if isinstance(value, Exception):
        raise ValueError(  # noqa: TRY004  # as above
            f"is neither JSON lines nor one JSON document ({value}); {CONVERT}"
        )
    return value


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        return error
