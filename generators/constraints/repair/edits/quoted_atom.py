"""Names and numbers that are written between quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.s_expressions import AtomKind

_NUMBER = re.compile(r"(?:0|[1-9]\d*)(?:\.\d+)?")


@edit_kind(
    "quoted_atom",
    order=180,
    examples=(
        RepairExample(
            '(declare-const x Int)\n(assert (> "x" "3"))\n(check-sat)\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const “x” Int)\n(assert (> “x” 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            '(set-logic "QF_LIA")\n(declare-const red_book Int)\n(assert (> "red book" 3))\n(check-sat)\n',
            "(set-logic QF_LIA)\n(declare-const red_book Int)\n(assert (> red_book 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert '(> x 3))\n(assert `(> x 4)`)\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (> x 4))\n(check-sat)\n",
        ),
        RepairExample(
            '(declare-const x Int)\n(assert "(> x 3)")\n(check-sat)\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            '(declare-const x Int)\n(assert (> x "three"))\n(check-sat)\n',
            '(declare-const x Int)\n(assert (> x "three"))\n(check-sat)\n',
        ),
    ),
)
def quoted_atom(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write a number, a logic, and a name that the program declares without the quotation marks."""
    if draft.script.valid:
        return
    declared = draft.script.scope.symbols.keys()
    for atom in draft.atoms():
        inner = atom.text[1:-1]
        path = draft.path(atom.at.offset)
        if atom.kind is AtomKind.ODD and not atom.text.strip("'`") and path and path[0].head == "assert":
            yield replacement(atom, "")
        if atom.kind is not AtomKind.STRING or not path:
            continue
        if path[0].head.startswith("set-"):
            if path[0].head == "set-logic":
                yield replacement(atom, inner)
            continue
        named = path[-1].head.startswith("declare-") and re.fullmatch(r"[A-Za-z]\w*", inner) is not None
        if (
            (path[-1].head == "assert" and len(path[-1].items) == 2 and inner.startswith("(") and inner.endswith(")"))
            or inner in declared
            or named
            or (_NUMBER.fullmatch(inner) and path[-1].head != "assert")
        ):
            yield replacement(atom, inner)
        elif (joined := re.sub(r"[\s-]+", "_", inner.strip())) in declared:
            yield replacement(atom, joined)
