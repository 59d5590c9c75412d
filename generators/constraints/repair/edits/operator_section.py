"""Operators in parentheses of their own, and arguments with keywords."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import code_matches
from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup

_SECTION = re.compile(r"\(\s*+\(\s*+(?:(?:op|fn|operator|function|#')\s++)?(?P<operator>[^\s()]+)\s*+\)(?=[\s(])")
_FIRST = frozenset({":left", ":lhs", ":a", ":first", ":x", ":arg1", ":from"})
_SECOND = frozenset({":right", ":rhs", ":b", ":second", ":y", ":arg2", ":to"})


@edit_kind(
    "operator_section",
    order=107,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert ((>) x 3))\n(assert ((op <) x 9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> :left x :right 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> :right x :left 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> 3 x))\n(check-sat)\n",
        ),
    ),
)
def operator_section(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the operator first in the parentheses of its arguments, and the arguments in their order without keywords."""
    if draft.script.valid:
        return
    for match in code_matches(_SECTION, draft.text):
        if operator(match["operator"]) is not None and match["operator"] not in draft.script.scope.symbols:
            yield RepairChange(match.start(), match.end(), f"({match['operator']}")
    for atom in draft.atoms():
        path = draft.path(atom.at.offset)
        group = path[-1] if path else None
        if group is None or len(group.items) < 3 or group.items[1] is not atom or atom.kind is not AtomKind.KEYWORD:
            continue
        yield from _keywords(draft, group)


def _keywords(draft: ProgramDraft, group: NodeGroup) -> Iterator[RepairChange]:
    """Yield the arguments of `(> :left a :right b)`, the innermost such group alone, since its text is within the others."""
    match group.items:
        case (Atom() as head, Atom(text=first), left, Atom(text=second), right):
            pair = (left, right) if first in _FIRST and second in _SECOND else None
            pair = (right, left) if first in _SECOND and second in _FIRST else pair
            written = [draft.source(part) for part in pair] if pair else []
            if written and not any(f"{name} " in text for text in written for name in _FIRST | _SECOND):
                yield RepairChange(group.at.offset, group.end, f"({head.text} {' '.join(written)})")
