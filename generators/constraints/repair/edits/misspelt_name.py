"""Undeclared names in a program that are misspellings of declared names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.name_similarity import folded_name, is_spelling_slip
from generators.constraints.repair.syntax.name_usage import inferred_signatures, occurrences, undeclared_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.smtlib.sort_checker import Signature
    from harness.smtlib.sort_inference import InferredSignature


@edit_kind(
    "misspelt_name",
    order=610,
    examples=(
        RepairExample(
            "(declare-const apples Int)\n(assert (> apples 3))\n(assert (< aples 9))\n(check-sat)\n",
            "(declare-const apples Int)\n(assert (> apples 3))\n(assert (< apples 9))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const startTime Int)\n(assert (> start_time 3))\n(check-sat)\n",
            "(declare-const startTime Int)\n(assert (> startTime 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const box1 Int)\n(declare-const box2 Int)\n(assert (> box1 box2))\n(check-sat)\n",
            "(declare-const box1 Int)\n(declare-const box2 Int)\n(assert (> box1 box2))\n(check-sat)\n",
        ),
    ),
)
def misspelt_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write a declared name where the one that stands there differs by case, underscores or one slip of a letter.

    Only where it fits the sorts, one declared name alone is so near, and the slip is none of digits. A slip of a letter is
    no certain sign: two things may have names that are nearly alike.
    """
    names = undeclared_names(draft)
    if not names:
        return
    found = inferred_signatures(draft, names)
    declared = draft.script.scope.symbols
    values = {value for one in draft.script.enumerations for value in one.values}
    for name in names:
        same = [
            one for one in declared if folded_name(one) == folded_name(name) and _fits(found.get(name), declared[one])
        ]
        near = (
            []
            if same
            else [one for one in declared if is_spelling_slip(name, one) and _fits(found.get(name), declared[one])]
        )
        choices = same or near
        if len(choices) != 1 or (near and len(occurrences(draft, name)) > 1 and choices[0] not in values):
            continue
        for atom in occurrences(draft, name):
            note = "" if same else f"nearest to {choices[0]}"
            yield RepairChange(
                atom.at.offset,
                atom.end,
                choices[0] if re.fullmatch(r"[^\s|]+", choices[0]) else f"|{choices[0]}|",
                not near,
                note,
            )


def _fits(found: InferredSignature | None, declared: Signature) -> bool:
    if found is None or found.conflict:
        return found is not None and len(found.sorts) == len(declared.sorts)
    if len(found.sorts) != len(declared.sorts):
        return False
    return (
        found.assumed
        or not declared.sort
        or found.sort == declared.sort
        or {found.sort, declared.sort} == {"Int", "Real"}
    )
