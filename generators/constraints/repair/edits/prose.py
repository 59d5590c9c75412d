"""Lines of prose outside of all commands that are not part of the program."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.stray_formulas import stray_formula
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup

_FORMAL = re.compile(
    r"[<>=≤≥≠∧∨¬\\]|\(.*,.*\)|\(\s*(?:and|or|not|distinct|xor|ite|[-+*/])\s|\bassert|\bconstraint\b|&\w+;"
)


@edit_kind(
    "prose",
    order=120,
    examples=(
        RepairExample(
            "The (only) variable is x:\n(declare-const x Int)\n(assert (> x 3)) so it is above 3.\n(check-sat)\n",
            "; The (only) variable is x:\n(declare-const x Int)\n(assert (> x 3)) ; so it is above 3.\n(check-sat)\n",
        ),
        RepairExample(
            "Program: (declare-const x Int)\n(assert (> x 3))\n(check-sat)\nsat\n",
            "; Program:\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n; sat\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\nx < twice as much\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n; x < twice as much\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const p Bool)\n(assert (not p))\np\n(check-sat)\n",
            "(declare-const p Bool)\n(assert (not p))\n; p\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n# x is above three\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n; # x is above three\n(assert (> x 3))\n(check-sat)\n",
        ),
    ),
)
def prose(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Make a comment of what stands outside of commands and is no formula."""
    if not draft.faults(ScriptFaultKind.STRAY_TEXT):
        return
    commands = [node.at.offset for node in draft.nodes if isinstance(node, NodeGroup) and _is_command(node)]
    place = -1
    for node in draft.nodes:
        if not isinstance(node, Atom) or node.at.offset < place:
            continue
        end = draft.end_of_line(node.at.offset)
        following = next((start for start in commands if node.at.offset < start < end), None)
        place = end if following is None else following
        if stray_formula(draft, node.at.offset, place) is not None:
            continue
        text = draft.text[node.at.offset : place].strip(" \t.")
        formal = text in draft.script.scope.symbols or _FORMAL.search(text) is not None
        note = "may be a formula that could not be read" if formal else ""
        yield RepairChange(node.at.offset, node.at.offset, "; ", not note, note)
        if following is not None:
            blanks = len(draft.text[:following]) - len(draft.text[:following].rstrip(" \t"))
            yield RepairChange(following - blanks, following, "\n")


def _is_command(node: NodeGroup) -> bool:
    plain = node.head.lower().replace("_", "-")
    return node.head in ALLOWED | REFUSED or plain.startswith(("declare", "assert", "check"))
