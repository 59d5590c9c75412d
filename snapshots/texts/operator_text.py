"""The layout that snapshots of operators share: records under their problems, and rows with a label each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from snapshots.texts.worked_solution import heading, visible_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from harness.domain import Problem

INDENT = "    "
NOTHING = "—"
Record = dict[str, Any]


def operator_text(
    operator: str,
    records: Iterable[Record],
    problems: Mapping[str, Problem],
    *,
    text_of: Callable[[Record], str],
    noun: str,
) -> str:
    """Return the records of an operator, each by `text_of` under the heading of its problem, ending in a newline."""
    sections = [f"{visible_text(operator)}\n"]
    last = ""
    for record in records:
        if record["problem_id"] != last:
            last = record["problem_id"]
            sections.append(f"════ {heading(problems[last], prose=True)}")
        sections.append(text_of(record))
    if len(sections) == 1:
        sections.append(f"{INDENT}makes no {noun} of the bundled problems\n")
    return "\n".join(sections)


def labelled_row(label: str, text: str, *, width: int) -> str:
    """Return a row with a text after its label; `width` is that of the column of labels."""
    return f"{INDENT}{label:<{width}}  {visible_text(text)}".rstrip()


def labelled_rows(label: str, texts: Iterable[str], *, width: int) -> Iterator[str]:
    """Yield a row for each text, with the label beside the first."""
    for number, text in enumerate(texts):
        yield labelled_row("" if number else label, text, width=width)
