"""Names that are used without a declaration, and the sorts that their uses require."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import AmbiguousError, ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.name_similarity import is_near_name
from generators.constraints.repair.syntax.name_usage import inferred_signatures, place_for_declaration, undeclared_names
from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import LogicFeature
from harness.smtlib.symbols import RESERVED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.smtlib.s_expressions import Atom
    from harness.smtlib.sort_inference import InferredSignature

# Names of what other languages and solvers define, which a function that is merely declared would not be.
_LIBRARY = re.compile(
    r"exact|at.?(?:most|least)|min|max|sum|count|total|all|any|one|none|between|before|after|next|adjacent|even|odd|pow|sqrt|"
    r"floor|ceil|round|member|contain|len|size|card|range|unique|diff|nth|index|in$|pb",
    re.IGNORECASE,
)


@edit_kind(
    "undeclared_name",
    order=620,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (=> ready (> x limit)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const limit Int)\n(declare-const ready Bool)\n(assert (=> ready (> x limit)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (= (f x) 2.5))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-fun f (Int) Real)\n(assert (= (f x) 2.5))\n(check-sat)\n",
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
    """Declare each name with the sorts that all its uses demand; Int where nothing speaks against it, which is said."""
    names = {name: atom for name, atom in undeclared_names(draft).items() if _free(draft, name, atom)}
    if not names:
        return
    found = inferred_signatures(draft, names)
    for one in found.values():
        if one.conflict:
            message = f"{one.name} would have to be of several sorts"
            raise AmbiguousError(message)
    place = place_for_declaration(draft)
    lead = "" if not place or draft.text[place - 1] == "\n" else "\n"
    tail = "" if lead and place < len(draft.text) and draft.text[place] == "\n" else "\n"
    for name in sorted(found):
        note = f"taken for {found[name].sort}: its uses do not settle it" if found[name].assumed else ""
        if found[name].sorts and _LIBRARY.search(name):
            note = note or "taken for a function of the program's own"
        # Two names that nobody declared may be one, written twice.
        near = [one for one in (*draft.script.scope.symbols, *found) if one != name and is_near_name(name, one)]
        if found[name].counted and LogicFeature.REALS in draft.script.features:
            note = note or f"taken for {found[name].sort}: it is compared with whole numbers alone"
        note = note or (f"may be {near[0]} misspelt" if near else "")
        yield RepairChange(place, place, f"{lead}{_declaration(names[name].text, found[name])}{tail}", not note, note)
        lead = "" if tail else lead


def _free(draft: ProgramDraft, name: str, atom: Atom) -> bool:
    """Tell whether a name may be declared: it is no operator, no function of SMT-LIB2, and no variable whose binding is odd."""
    binding = any(one.head in {"forall", "exists", "let"} for one in draft.path(atom.at.offset)) and bool(
        draft.faults(ScriptFaultKind.MALFORMED_TERM)
    )
    return operator(name) is None and name not in RESERVED | draft.script.scope.sorts and not binding


def _declaration(name: str, found: InferredSignature) -> str:
    if found.sorts:
        return f"(declare-fun {name} ({' '.join(found.sorts)}) {found.sort})"
    return f"(declare-const {name} {found.sort})"
