"""Comments that are written in the syntax of other programming languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import SKIPPED, ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.faults import ScriptFaultKind

_BLOCK = re.compile(r"/\*(.*?)\*/|<!--(.*?)-->|\{-(.*?)-\}|\(\*(?=\s)([^()]*)\s\*\)", re.DOTALL)
_LINE = re.compile(r"(?m)(?:^|(?<=[\s)]))(//+|#+(?![xb][0-9A-Fa-f]|[=<>/\\])|--+)[^\n]*")


@edit_kind(
    "foreign_comment",
    order=110,
    examples=(
        RepairExample(
            "(declare-const x Int) // the first\n(assert (and (> x 3) # above\n  (< x 9)))\n(check-sat)\n",
            "(declare-const x Int) ; the first\n(assert (and (> x 3) ; above\n  (< x 9)))\n(check-sat)\n",
        ),
        RepairExample(
            "/* all\n of it */\n(declare-const x Int)\n<!-- a clue --> (assert (> x 3))\n(check-sat)\n",
            "; all\n; of it\n(declare-const x Int)\n; a clue\n (assert (> x 3))\n(check-sat)\n",
        ),
    ),
)
def foreign_comment(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Begin a comment with a semicolon; what could be a division is none."""
    if not draft.faults(
        ScriptFaultKind.STRAY_TEXT,
        ScriptFaultKind.ODD_ATOM,
        ScriptFaultKind.UNDECLARED,
        ScriptFaultKind.MALFORMED_COMMAND,
    ):
        return
    skipped = [match.span() for match in SKIPPED.finditer(draft.text)]
    for block in _BLOCK.finditer(draft.text):
        if not _inside(block.start(), skipped):
            lines = next(filter(None, block.groups()), "").strip().splitlines()
            text = "\n".join(f"; {line.strip(' *')}" for line in lines)
            # The text after the comment on its line is no part of it.
            goes_on = draft.text[block.end() : draft.end_of_line(block.end())].strip()
            yield RepairChange(block.start(), block.end(), f"{text}\n" if goes_on else text)
    for line in _LINE.finditer(draft.text):
        rest = line.group()[len(line.group(1)) :]
        if not _inside(line.start(), skipped) and rest.count("(") == rest.count(")") and not _begins_line(draft, line):
            yield RepairChange(line.start(1), line.end(1), ";")


def _begins_line(draft: ProgramDraft, line: re.Match[str]) -> bool:
    """Tell whether nothing stands before it at the top level: then it is prose, which keeps its sign."""
    before = draft.text[draft.text.rfind("\n", 0, line.start(1)) + 1 : line.start(1)]
    return not before.strip() and not any(
        command.at.offset < line.start(1) < command.end for command in draft.script.commands
    )


def _inside(offset: int, spans: list[tuple[int, int]]) -> bool:
    return any(start < offset < end for start, end in spans)
