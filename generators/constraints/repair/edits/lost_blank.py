"""Words of a command that have run together, as in a text that was copied from a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import features_of

_LOGIC = re.compile(r"\(\s*+set-logic(?P<logic>[A-Z_]+)\s*+\)")
_DECLARED = re.compile(
    r"\(\s*+declare-(?P<kind>const|fun)(?P<blank>\s*+)(?P<name>[A-Za-z_][\w-]*?)\s*+(?P<list>\(\s*\)\s*)?(?P<sort>Int|Bool|Real)\s*+\)"
)
_HEAD = re.compile(r"\(\s*+(?P<head>assert|get-value)(?=\()")


@edit_kind(
    "lost_blank",
    order=92,
    examples=(
        RepairExample(
            "(set-logicQF_LIA)\n(declare-const xInt)\n(declare-constyInt)\n(assert(> x y))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n(assert (> x y))\n(check-sat)\n",
        ),
    ),
)
def lost_blank(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Part the command, the name and the sort, where the name stands elsewhere and the whole word does not."""
    if not draft.faults(ScriptFaultKind.MALFORMED_COMMAND, ScriptFaultKind.UNKNOWN_COMMAND):
        return
    for match in code_matches(_LOGIC, draft.text):
        if features_of(match["logic"]) is not None:
            yield RepairChange(match.start(), match.end(), f"(set-logic {match['logic']})")
    parted = list(code_matches(_DECLARED, draft.text))
    for match in parted:
        glued = f"{match['name']}{match['sort']}"
        if match["list"] or (match["blank"] and f"{match['name']} " in match[0]):
            continue
        elsewhere = re.findall(rf"(?<![\w-]){re.escape(match['name'])}(?![\w-])", draft.text)
        whole = re.findall(rf"(?<![\w-]){re.escape(glued)}(?![\w-])", draft.text)
        if elsewhere and len(whole) < 2:
            yield RepairChange(match.start(), match.end(), f"(declare-const {match['name']} {match['sort']})")
    if parted:
        for match in code_matches(_HEAD, draft.text):
            yield RepairChange(match.end("head"), match.end("head"), " ")
