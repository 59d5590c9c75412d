"""Commands that no language of solvers has, whose parts are those of an assertion or of a declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.sort_names import sort_name
from generators.constraints.repair.syntax.term_rewrites import weight
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup
from harness.text.lexicon import word_lists

_DOUBTFUL = re.compile(
    rf"^un|{word_lists(__file__).either('doubtful')}",
    re.IGNORECASE,
)
"""Heads that do not say that something holds."""


@edit_kind(
    "unknown_command",
    order=310,
    examples=(
        RepairExample(
            "(new x Int)\n(rule (> x 3))\n(rule (< x 9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\n(prefer (< x 9))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(prefer (< x 9))\n(check-sat)\n",
        ),
    ),
)
def unknown_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Take `(new x Int)` for a declaration, and `(rule formula)` for an assertion; the words may mean something else."""
    for _, command in draft.faulty(NodeGroup, ScriptFaultKind.UNKNOWN_COMMAND):
        head = command.items[0] if command.items else None
        if not isinstance(head, Atom) or command.head in ALLOWED | REFUSED or operator(head.text) is not None:
            continue
        parts = command.arguments
        note = f"{head.text[:40]} is no command"
        if head.name in draft.script.scope.symbols or _DOUBTFUL.search(head.text):
            continue
        match parts:
            case (Atom(kind=AtomKind.SYMBOL) as name, Atom() as sort) if (
                known := sort_name(draft, sort.text)
            ) is not None:
                if name.name not in draft.script.scope.symbols:
                    yield replacement(command, f"(declare-const {name.text} {known})", certain=False, note=note)
            case (NodeGroup() as formula,) if formula.head and weight(draft, formula) == 0:
                yield replacement(command, f"(assert {draft.source(formula)})", certain=False, note=note)
