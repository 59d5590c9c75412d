"""Programs whose lines are texts of another language, as in `print("(check-sat)")`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.faults import ScriptFaultKind

_COMMAND = re.compile(r"\(\s*+(?:assert|declare|define|check|set-)", re.IGNORECASE)
_QUOTED = re.compile(
    r"""[^"'`()\n]*+\(?[ \t]*+[fFrRbBuU]?(?P<quote>["'`])(?P<line>\(.*\))[ \t]*+(?:\\n)?[ \t]*+(?P=quote)[^"'`()\n]*+[)\];, \t]*+[^()\n]*+"""
)
"""A line with one text in quotation marks, which is a form in parentheses: a call, an item of a list or the word before a file."""


@edit_kind(
    "quoted_lines",
    order=96,
    examples=(
        RepairExample(
            'print("(declare-const x Int)")\nprint("(assert (> x 3))")\nprint("(check-sat)")\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            'text = ("(declare-const x Int)\\n"\n  "(assert (> x 3))\\n"\n  "(check-sat)\\n")\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            'echo "(declare-const x Int)" >> p.smt2\necho "(assert (> x 3))" >> p.smt2\necho "(check-sat)" >> p.smt2\nz3 p.smt2\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n; z3 p.smt2\n",
        ),
    ),
)
def quoted_lines(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the text in the quotation marks, where each line that holds a command is one such text."""
    if draft.script.valid or not draft.faults(
        ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.EMPTY, ScriptFaultKind.UNCLOSED
    ):
        return
    changes: list[RepairChange] = []
    start = 0
    for line in draft.text.splitlines(keepends=True):
        end = start + len(line.rstrip("\r\n"))
        if _COMMAND.search(line):
            match = _QUOTED.fullmatch(draft.text, start, end)
            if match is None:
                return
            inner = match["line"].replace(f"\\{match['quote']}", match["quote"])
            changes.append(RepairChange(start, end, inner))
        start += len(line)
    if len(changes) > 1:
        yield from changes
