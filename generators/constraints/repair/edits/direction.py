"""Implication arrows `=>` that stand for a comparison of two numbers."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import sorts_of
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.symbols import NUMBERS


@edit_kind(
    "direction",
    order=435,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (=> x 5))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (>= x 5))\n(check-sat)\n",
        ),
    ),
)
def direction(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Take `=>` between two numbers for the comparison it looks like."""
    for fault in draft.faults(ScriptFaultKind.WRONG_SORT):
        path = draft.path(fault.at.offset)
        if not path or path[-1].head != "=>" or len(path[-1].items) != 3:
            continue
        if set(sorts_of(draft, path[-1].arguments)) <= NUMBERS:
            yield replacement(path[-1].items[0], ">=")
