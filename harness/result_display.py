"""How the results of the Python functions are shown: a line as `repr`, a table in a notebook, a data frame."""

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain, islice
from typing import Any, Self, TypeVar, overload

from harness.errors import HarnessError
from harness.text.characters import one_line

MOST_ROWS = 50
LONGEST_CELL = 200


class Result(abc.ABC):
    """A result with a short `repr`, a table in a notebook, and `to_pandas()`."""

    __slots__ = ()

    @property
    @abc.abstractmethod
    def summary(self) -> str:
        """Return what was found, in a few words."""

    @abc.abstractmethod
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the rows of its table, all with the same columns."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {one_line(self.summary, limit=LONGEST_CELL)}>"

    def _repr_html_(self) -> str:
        rows = self.rows()
        columns = list(rows[0]) if rows else []
        texts = ([one_line(str(row[name]), limit=LONGEST_CELL) for name in columns] for row in islice(rows, MOST_ROWS))
        body = (f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in texts)
        head = f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in columns)}</tr>"
        more = f"<p>… and {len(rows) - MOST_ROWS:,} more rows</p>" if len(rows) > MOST_ROWS else ""
        return "".join(chain((f"<p>{escape(self.summary)}</p><table>{head}",), body, (f"</table>{more}",)))

    def to_pandas(self) -> Any:
        """Return a data frame of the rows, or raise a `HarnessError` if pandas is not installed."""
        try:
            import pandas as pd  # an extra, which takes a second to import
        except ImportError:
            raise HarnessError("to_pandas(): needs pandas; install it by: pip install pandas") from None
        return pd.DataFrame(list(self.rows()))


ResultT_co = TypeVar("ResultT_co", bound=Result, covariant=True)


@dataclass(frozen=True, repr=False)
class Results(Result, Sequence[ResultT_co]):
    """Several results of a kind, in their order."""

    judgements: tuple[ResultT_co, ...]

    @overload
    def __getitem__(self, place: int) -> ResultT_co: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> ResultT_co | Self:
        return type(self)(self.judgements[place]) if isinstance(place, slice) else self.judgements[place]

    def __len__(self) -> int:
        return len(self.judgements)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each."""
        return [row for own in self for row in own.rows()]
