"""Programs whose commands are cells of a table with semicolons, which hide them as comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind

_ROW = re.compile(r"[ \t]*+\d++[ \t]*+;[ \t]*+(?P<command>\(.*\))[ \t]*+;?[ \t]*+")
_COMMAND = re.compile(r"\(\s*+(?:assert|declare|define|check|set-)", re.IGNORECASE)


@edit_kind(
    "table_row",
    order=97,
    examples=(
        RepairExample(
            "line;command;\n1;(declare-const x Int);\n2;(assert (> x 3));\n3;(check-sat);\n",
            "line;command;\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n".replace("line;", "; line;"),
        ),
        RepairExample(
            "(declare-const x Int)\n1;(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def table_row(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the cell with the command, where every line with a command is a row with its number before it."""
    changes: list[RepairChange] = []
    start = 0
    for line in draft.text.splitlines(keepends=True):
        row = line.rstrip("\r\n")
        match = _ROW.fullmatch(row)
        if match is not None:
            changes.append(RepairChange(start, start + len(row), match["command"]))
        elif _COMMAND.search(row):
            return
        start += len(line)
    if len(changes) > 1 and not draft.script.valid:
        yield from changes
