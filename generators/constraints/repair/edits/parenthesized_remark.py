"""Remarks in parentheses at the end of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.remarks import is_neutral
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup

_WORDS = re.compile(r"[A-Za-z][a-z]*[,.:;!]?")


@edit_kind(
    "parenthesized_remark",
    order=630,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3)) (the first clue)\n(check-sat)\n(edited)\n",
            "(declare-const x Int)\n(assert (> x 3)) ; (the first clue)\n(check-sat)\n; (edited)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3)) (given)\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3)) ; (given)\n(check-sat)\n",
        ),
    ),
)
def parenthesized_remark(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Make a comment of words, none of which is a name, a sort or an operator."""
    known = draft.script.scope.symbols
    for _, node in draft.faulty(NodeGroup, ScriptFaultKind.UNKNOWN_COMMAND):
        words = [item.text for item in node.items if isinstance(item, Atom)]
        plain = len(words) == len(node.items) and all(
            _WORDS.fullmatch(word)
            and word not in known.keys() | ALLOWED | REFUSED
            and operator(word) is None
            and sort_name(draft, word) is None
            for word in words
        )
        behind = draft.text[node.end : draft.end_of_line(node.end)].strip()
        if plain and not behind and "\n" not in draft.source(node):
            neutral = is_neutral(" ".join(words), known)
            note = "" if neutral else "may change what stands before it"
            yield RepairChange(node.at.offset, node.at.offset, "; ", neutral, note)
