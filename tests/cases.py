"""One law on many cases within one test, every case that breaks it shown and none an item of its own; and tables of cases as text or as lines of data."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.json_lines import read_lines

if TYPE_CHECKING:
    import pytest

LONGEST_LABEL = 80


def cases(names: str | Sequence[str], values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test once for each case, as `pytest.mark.parametrize` does, but within one item.

    An item costs milliseconds to collect, to send to a worker and to report; a case that passes costs nothing. Stacked, the test
    is called for each combination. Each case has a `tmp_path` of its own; a test that needs another fixture anew for each case is
    parametrized instead.

    Raises:
        ValueError: there is no case, or a case has marks of its own.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [_row(keys, value) for value in values]
    if not rows:
        message = f"no case of {names}"
        raise ValueError(message)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        inner: Callable[..., None] = getattr(test, "law", test)
        combined = [
            (" ".join(filter(None, (label, further))), {**row, **given})
            for label, row in rows
            for further, given in getattr(test, "rows", [("", {})])
        ]

        @functools.wraps(inner)
        def checked(subtests: pytest.Subtests, **fixtures: Any) -> None:
            for place, (label, row) in enumerate(combined):
                given = {**fixtures, **row}
                if "tmp_path" in fixtures:
                    given["tmp_path"] = fixtures["tmp_path"] / str(place)
                    given["tmp_path"].mkdir()
                try:
                    inner(**given)
                except Exception:  # whatever a case raises is its failure, and the others are checked
                    with subtests.test(label):
                        raise

        signature = inspect.signature(inner)
        bound = {key for _, row in combined for key in row}
        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in bound]
        own = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in fixtures]
        vars(checked).update(law=inner, rows=combined, __signature__=signature.replace(parameters=[own, *keyword]))
        return checked

    return decorate


def texts(table: str) -> list[str]:
    """Return the texts of a table: one a cell, cells separated by ` | ` or a line break."""
    return [cell for line in table.split("\n") for cell in line.split(" | ")]


def rows(table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table, separated as its texts are; an arrow separates the cells of a row."""
    return [tuple(row.split(" → ")) for row in texts(table)]


def lines_beside(module: str, name: str) -> list[Any]:
    """Return the lines of a file of JSON lines that stands beside a module."""
    return read_lines(Path(module).with_name(name))


def _row(keys: Sequence[str], value: Any) -> tuple[str, dict[str, Any]]:
    """Return the label and the arguments of a case, which may be a `pytest.param` with an id."""
    if getattr(value, "marks", ()):
        message = f"{value} has marks of its own; parametrize the test"
        raise ValueError(message)
    own_label = getattr(value, "id", None) if hasattr(value, "marks") else None
    parts = tuple(value.values) if hasattr(value, "marks") else (value,) if len(keys) == 1 else tuple(value)
    row = dict(zip(keys, parts, strict=True))
    label = (
        own_label
        if isinstance(own_label, str)
        else ", ".join(f"{key}={part!r:.40}" for key, part in row.items() if _plain(part))
    )
    return label[:LONGEST_LABEL], row


def _plain(part: Any) -> bool:
    """Tell whether a value is short to show."""
    return isinstance(part, str | int | float | None) and (not isinstance(part, str) or len(part) < 1_000)
