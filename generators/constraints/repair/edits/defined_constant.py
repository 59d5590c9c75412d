"""Definitions of constants that the program declares, too."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.term_rewrites import weight
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, Node, NodeGroup
from harness.smtlib.sort_checker import SortChecker

_DEFINING = frozenset({"define", "def", "let", "define-const", "define-fun"})
_ASSIGNING = frozenset({"set", "set!", "setq", "assign", "val", "bind"})


@edit_kind(
    "defined_constant",
    order=308,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(define y (+ x 1))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(assert (= y (+ x 1)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(define-fun y () Int (+ x 1))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(assert (= y (+ x 1)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(set! y (+ x 1))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(assert (= y (+ x 1)))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def defined_constant(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Assert that a declared constant equals what it is defined as; an assignment may hold later than the rest."""
    faults = draft.faults(ScriptFaultKind.DUPLICATE, ScriptFaultKind.UNKNOWN_COMMAND)
    declared = {
        (declaration.name, declaration.sort)
        for declaration in draft.script.declarations
        if not declaration.sorts and declaration.body is None
    }
    for command in draft.script.commands:
        if not any(command.at.offset <= fault.at.offset < command.end for fault in faults):
            continue
        name, sort, value = _parts(command)
        if name is None or value is None or _weight(draft, value) or command.head not in _DEFINING | _ASSIGNING:
            continue
        own = SortChecker(draft.script.scope).term(value)
        if own is None or (name.name, own) not in declared or sort not in {"", own}:
            continue
        note = "" if command.head in _DEFINING else f"{command.head} may hold only later"
        yield replacement(command, f"(assert (= {name.text} {draft.source(value)}))", certain=not note, note=note)


def _parts(command: NodeGroup) -> tuple[Atom | None, str, Node | None]:
    """Return the name that a command defines, its sort if it says one, and its value; `None` for both where it has another form."""
    match command.arguments:
        case (Atom() as name, value):
            return name, "", value
        case (Atom() as name, Atom(text="=" | ":="), value):
            return name, "", value
        case (Atom() as name, Atom(text=sort), value):
            return name, sort, value
        case (Atom() as name, NodeGroup(items=()), Atom(text=sort), value):
            return name, sort, value
        case (NodeGroup(items=(NodeGroup(items=(Atom() as name, value)),)),):
            return name, "", value
    return None, "", None


def _weight(draft: ProgramDraft, value: Node) -> int:
    """Return how many faults a value has, of any sort."""
    return weight(draft, NodeGroup((Atom("="), value, value)))
