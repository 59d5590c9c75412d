"""Labels of assertions that are used more than once."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom


@edit_kind(
    "repeated_label",
    order=505,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (! (> x 3) :named c))\n(assert (! (< x 9) :named c))\n(assert (! (< x 8) :named c))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (! (> x 3) :named c))\n(assert (! (< x 9) :named c_2))\n(assert (! (< x 8) :named c_3))\n(check-sat)\n",
        ),
    ),
)
def repeated_label(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Number a label that an earlier assertion has; no formula speaks of it."""
    taken = set(draft.used) | draft.script.scope.symbols.keys()
    for _, atom in draft.faulty(Atom, ScriptFaultKind.DUPLICATE):
        path = draft.path(atom.at.offset)
        group = path[-1] if path else None
        if group is None or group.head != "!":
            continue
        label = next(name for number in range(2, len(taken) + 3) if (name := f"{atom.name}_{number}") not in taken)
        taken.add(label)
        yield replacement(atom, label)
