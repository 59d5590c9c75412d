"""The records of a text in any layout that holds them: JSON lines, a JSON array, columns, a wrapped list, CSV or TSV."""

import csv
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from harness.corpora.field_roles import ROLE_OF, Role, are_turns
from harness.text.characters import kind_of

LONGEST_LINE = 32_000_000
LONGEST_DOCUMENT = 500_000_000
"""Characters of a JSON array, which is read at once; JSON lines have no limit."""
CONVERT = "convert it to JSON lines, one object a line, such as by: jq -c '.[]' FILE"
EMPTY_LINE = "the line is empty"
_CELL_MARKS = {".csv": ",", ".tsv": "\t"}


class UnreadableLineError(ValueError):
    """A line or row gives no record, for another reason than that it is no JSON; the text says which."""


def no_record(value: object) -> str:
    """Return why a line or row, or the error of one, is no record."""
    if isinstance(value, UnreadableLineError):
        return str(value)
    found = f"no JSON ({str(value)[:100]})" if isinstance(value, Exception) else kind_of(value)
    return f"expected an object, found {found}"


def text_records(source: TextIO, suffix: str, *, every_line: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield the number and the record of each record of a text; `suffix` is the file's without `.gz`.

    Lines of JSON have the number of their line, and a line that is no JSON gives its error, with `every_line` an empty one, too; other
    records are numbered from one. Of lines of JSON none is read before the record of the line before it was taken.
    An unknown layout, or a document that breaks off, is a `ValueError`.
    """
    lines = iter(lambda: source.readline(LONGEST_LINE), "")
    number, first = 0, ""
    for number, first in enumerate(lines, start=1):  # the first line that is not empty
        if first.strip():
            break
        if every_line:
            yield number, UnreadableLineError(EMPTY_LINE)
    first = first.lstrip("\ufeff")
    if not first.strip():
        return
    opens = first.lstrip()[:1]
    if mark := "" if opens in {"[", "{"} else _CELL_MARKS.get(suffix) or _header_mark(first):
        yield from _rows(itertools.chain([first], lines), mark)
        return
    follows = next((line for line in lines if line.strip()), "") if opens == "[" else ""
    if opens == "[" and isinstance(value := _json(first), list) and not follows:
        yield from _of_list(value) if value and all(isinstance(item, dict) for item in value) else [(number, value)]
        return
    rest = itertools.chain([follows] if follows else [], lines)
    if follows and isinstance(value, ValueError):
        yield from _of_list(_document(first, rest))
        return
    yield from _of_lines(first, number, rest, every_line=every_line)


def _of_lines(first: str, number: int, rest: Iterator[str], *, every_line: bool) -> Iterator[tuple[int, Any]]:
    value = _json(first)
    if first.strip() == "{":
        kept = list(rest)
        if any(line.strip() and isinstance(_json(line), Exception) for line in kept):
            yield from _of_object(_document(first, iter(kept)))
            return
        rest = iter(kept)  # JSON lines whose first is broken
    elif isinstance(value, dict) and any(isinstance(item, list | dict) for item in value.values()):
        ahead = []
        for line in rest:
            ahead.append(line)
            if line.strip():
                break
        if not any(map(str.strip, ahead)):
            yield from _of_object(value, number)
            return
        rest = itertools.chain(ahead, rest)
    cut, place = False, number - 1
    for line in itertools.chain([first], rest):
        whole, place = len(line) < LONGEST_LINE or line.endswith("\n"), place + (not cut)
        if not (cut or whole):
            yield place, UnreadableLineError(f"the line is longer than {LONGEST_LINE:,} characters")
        elif line.strip() and not cut:
            yield place, _json(line)
        elif every_line and not cut:
            yield place, UnreadableLineError(EMPTY_LINE)
        cut = not whole


def _of_object(value: Any, number: int = 1) -> Iterator[tuple[int, Any]]:
    """Yield the records of a list that the object wraps, of its columns of equal length, or the object, whose line is `number`."""
    if not isinstance(value, dict):
        raise ValueError(f"holds no object; {CONVERT}")  # noqa: TRY004  # the text of the file is wrong, not a type
    rows = [list(item) for item in value.values() if isinstance(item, dict) and all(map(str.isdecimal, item))]
    if value and len(rows) == len(value) and rows[0] and all(row == rows[0] for row in rows):
        value = {name: list(column.values()) for name, column in value.items()}  # columns as pandas writes them
    lists = [item for item in value.values() if isinstance(item, list) and not are_turns(item)]
    if len(lists) == len(value) == 1 and all(isinstance(item, dict) for item in lists[0]):
        yield from _of_list(lists[0])
        return
    for name, item in value.items() if not _names_question(value) else ():
        if isinstance(item, list) and item and all(isinstance(each, dict) and _names_question(each) for each in item):
            detail = f"is one object with records in {name!r} beside other fields"
            raise ValueError(f"{detail}; {CONVERT.replace('.[]', f'.{json.dumps(name)}[]')}")
    if value and len(lists) == len(value):
        if len({len(column) for column in lists}) > 1:
            raise ValueError(f"its columns have lists of different lengths; {CONVERT}")
        yield from enumerate((dict(zip(value, row, strict=True)) for row in zip(*lists, strict=True)), start=1)
    else:
        yield number, value


def _names_question(names: Iterable[Any]) -> bool:
    return any(ROLE_OF.get(str(name).casefold()) is Role.QUESTION for name in names)


def _of_list(value: Any) -> Iterator[tuple[int, Any]]:
    if not isinstance(value, list):
        raise ValueError(f"is no list of records; {CONVERT}")  # noqa: TRY004  # as above
    yield from enumerate(value, start=1)


def _header_mark(line: str) -> str:
    """Return the mark between the cells of a first line that names a question, whatever the suffix of the file; empty if it is none."""
    return next(
        (mark for mark in _CELL_MARKS.values() if mark in line and _names_question(line.strip().split(mark))), ""
    )


def _rows(lines: Iterator[str], mark: str) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a table by the names of its first row; a row of another number of cells gives an error."""
    csv.field_size_limit(LONGEST_LINE)
    rows = csv.reader(lines, delimiter=mark, strict=True)
    try:
        names = [name.strip() for name in next(rows, [])]
        if len(set(names)) != len(names):
            raise ValueError("two columns of its first row have one name; rename one of them")
        for number, row in enumerate(filter(None, rows), start=1):
            cut = UnreadableLineError(f"{len(row)} cells for {len(names)} columns") if len(row) != len(names) else None
            yield number, cut or dict(zip(names, row, strict=True))
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
        raise ValueError(f"is neither JSON lines nor one JSON document ({value}); {CONVERT}")  # noqa: TRY004  # as above
    return value


def _json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        return error


def _object(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(fields)
    if len(value) != len(fields):
        name = next(name for place, (name, _) in enumerate(fields) if name in dict(fields[:place]))
        raise UnreadableLineError(f"an object has the field {name[:80]!r} twice")
    return value
