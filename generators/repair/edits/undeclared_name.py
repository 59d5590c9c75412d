"""Which names are used and not declared, and of which sorts must they be?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.repair.editing import AmbiguousError, Change, Draft, Example, edit_kind
from generators.repair.naming import inferred, place_for_declaration, undeclared
from generators.repair.operators import operator
from generators.repair.spelling import nearly
from harness.smtlib.logics import Feature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.smtlib.inference import Inferred


@edit_kind(
    "undeclared_name",
    order=620,
    examples=(
        Example(
            "(declare-const x Int)\n(assert (=> ready (> x limit)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const limit Int)\n(declare-const ready Bool)\n(assert (=> ready (> x limit)))\n(check-sat)\n",
        ),
        Example(
            "(declare-const x Int)\n(assert (= (f x) 2.5))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-fun f (Int) Real)\n(assert (= (f x) 2.5))\n(check-sat)\n",
        ),
        Example(
            "(assert (= a b))\n(check-sat)\n",
            "(declare-const a Int)\n(declare-const b Int)\n(assert (= a b))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def undeclared_name(draft: Draft) -> Iterator[Change]:
    """Declare each name with the sorts that all its uses demand; Int where nothing speaks against it, which is said."""
    names = {name: atom for name, atom in undeclared(draft).items() if operator(name) is None}
    if not names:
        return
    found = inferred(draft, names)
    for one in found.values():
        if one.conflict:
            message = f"{one.name} would have to be of several sorts"
            raise AmbiguousError(message)
    place = place_for_declaration(draft)
    lead = "" if not place or draft.text[place - 1] == "\n" else "\n"
    tail = "" if lead and place < len(draft.text) and draft.text[place] == "\n" else "\n"
    for name in sorted(found):
        note = f"taken for {found[name].sort}: its uses do not settle it" if found[name].assumed else ""
        near = [one for one in draft.script.scope.symbols if nearly(name, one)]
        if found[name].counted and Feature.REALS in draft.script.features:
            note = note or f"taken for {found[name].sort}: it is compared with whole numbers alone"
        note = note or (f"may be {near[0]} misspelt" if near else "")
        yield Change(place, place, f"{lead}{_declaration(names[name].text, found[name])}{tail}", not note, note)
        lead = "" if tail else lead


def _declaration(name: str, found: Inferred) -> str:
    if found.sorts:
        return f"(declare-fun {name} ({' '.join(found.sorts)}) {found.sort})"
    return f"(declare-const {name} {found.sort})"
