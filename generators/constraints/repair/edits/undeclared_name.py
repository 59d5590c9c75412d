"""Names that are used without a declaration, and the sorts that their uses require."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import AmbiguousError, ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.name_similarity import is_near_name
from generators.constraints.repair.syntax.name_usage import inferred_signatures, place_for_declaration, undeclared_names
from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import LogicFeature
from harness.smtlib.s_expressions import Atom, NodeGroup
from harness.smtlib.sort_inference import InferredSignature
from harness.smtlib.symbols import RESERVED


@edit_kind(
    "undeclared_name",
    order=620,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (=> ready (> x limit)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const limit Int)\n(declare-const ready Bool)\n(assert (=> ready (> x limit)))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x limit))\n(assert (< limit 9))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const limit Int)\n(assert (> x limit))\n(assert (< limit 9))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (= (f x) 2.5))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-fun f (Int) Real)\n(assert (= (f x) 2.5))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(assert (= a b))\n(check-sat)\n",
            "(declare-const a Int)\n(declare-const b Int)\n(assert (= a b))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(assert (< 1 greeen))\n(assert (> 3 green))\n(check-sat)\n",
            "(declare-const greeen Int)\n(declare-const green Int)\n(assert (< 1 greeen))\n(assert (> 3 green))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def undeclared_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Declare each name with the sorts that all its uses demand; Int where they allow it, with a note."""
    unread = _names_of_unread_commands(draft)
    names = {
        name: atom
        for name, atom in undeclared_names(draft).items()
        if name not in unread and _may_be_declared(draft, name, atom)
    }
    if not names:
        return
    signatures = inferred_signatures(draft, names)
    for signature in signatures.values():
        if signature.conflict:
            raise AmbiguousError(f"{signature.name} would have to be of several sorts")
    place = place_for_declaration(draft)
    lead = "" if not place or draft.text[place - 1] == "\n" else "\n"
    tail = "" if lead and place < len(draft.text) and draft.text[place] == "\n" else "\n"
    others = (*draft.script.scope.symbols, *signatures)
    for name, signature in sorted(signatures.items()):
        # Two names that nobody declared may be one, written twice.
        near = next((other for other in others if other != name and is_near_name(name, other)), "")
        if signature.assumed:
            note = f"taken for {signature.sort}: its uses do not settle it"
        elif signature.sorts:
            note = "taken for a function of the program's own"
        elif signature.counted and LogicFeature.REALS in draft.script.features:
            note = f"taken for {signature.sort}: it is compared with whole numbers alone"
        else:
            note = f"may be {near} misspelt" if near else ""
        declaration = _declaration(names[name].text, signature)
        yield RepairChange(place, place, f"{lead}{declaration}{tail}", not note, note)
        lead = "" if tail else lead


def _names_of_unread_commands(draft: ProgramDraft) -> frozenset[str]:
    """Return the names in commands that may be declarations and cannot be read: what they say of a name is lost by another declaration."""
    faults = draft.faults(ScriptFaultKind.UNKNOWN_COMMAND, ScriptFaultKind.MALFORMED_COMMAND)
    commands = (node for fault in faults if isinstance(node := draft.node(fault.at.offset), NodeGroup))
    return frozenset(
        item.name
        for command in commands
        if command.head.lower().startswith(("declare", "define", "var", "const"))
        for item in command.arguments
        if isinstance(item, Atom)
    )


def _may_be_declared(draft: ProgramDraft, name: str, atom: Atom) -> bool:
    """Tell whether a name is no operator, no function of SMT-LIB2, and no variable whose binding is odd."""
    if operator(name) is not None or name in RESERVED | draft.script.scope.sorts:
        return False
    bound = any(group.head in {"forall", "exists", "let"} for group in draft.path(atom.at.offset))
    return not bound or not draft.faults(ScriptFaultKind.MALFORMED_TERM)


def _declaration(name: str, signature: InferredSignature) -> str:
    if signature.sorts:
        return f"(declare-fun {name} ({' '.join(signature.sorts)}) {signature.sort})"
    return f"(declare-const {name} {signature.sort})"
