"""Undeclared names in a program that are misspellings of declared names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_similarity import folded_name, is_spelling_slip
from generators.constraints.repair.syntax.name_usage import inferred_signatures, occurrences, undeclared_names
from generators.constraints.repair.syntax.operator_spellings import COMPARISONS
from harness.smtlib.s_expressions import Atom
from harness.smtlib.sort_checker import Signature
from harness.smtlib.sort_inference import InferredSignature
from harness.smtlib.symbols import BOOL

_SIGN_AT_AN_END = re.compile(r"^[^\w.]|[^\w.]$")


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
    no certain sign: two things may have names that are nearly alike. Nor is a sign before or after a name, as in `x'` and `x--`; a minus
    sign before a truth value negates it.
    """
    names = undeclared_names(draft)
    if not names:
        return
    signatures = inferred_signatures(draft, names)
    values = {value for enumeration in draft.script.enumerations for value in enumeration.values}
    for name in names:
        declared = [
            own for own, signature in draft.script.scope.symbols.items() if _fits(signatures.get(name), signature)
        ]
        same = [own for own in declared if folded_name(own) == folded_name(name)]
        choices = same or [own for own in declared if is_spelling_slip(name, own)]
        uses = occurrences(draft, name)
        if len(choices) != 1 or (not same and len(uses) > 1 and choices[0] not in values):
            continue
        after = choices[0] if re.fullmatch(r"[^\s|]+", choices[0]) else f"|{choices[0]}|"
        note = "" if same else f"nearest to {choices[0]}"
        signed = _SIGN_AT_AN_END.search(name) is not None and _SIGN_AT_AN_END.search(choices[0]) is None
        if signed and name.startswith("-") and draft.script.scope.symbols[choices[0]].sort == BOOL:
            after = f"(not {after})"
        for atom in uses:
            certain = bool(same) and not signed and not _compares_with_itself(draft, atom, after)
            yield replacement(atom, after, certain=certain, note=note)


def _compares_with_itself(draft: ProgramDraft, atom: Atom, after: str) -> bool:
    """Tell whether a comparison around an atom has two equal sides once the name is another: `(= Y y)` says nothing with `y` twice."""
    name = re.compile(rf"(?<![\w.-]){re.escape(atom.text)}(?![\w.-])")
    for group in draft.path(atom.at.offset):
        if group.head in COMPARISONS and len(group.arguments) == 2:
            left, right = (name.sub(lambda _: after, draft.source(side)) for side in group.arguments)
            if left == right:
                return True
    return False


def _fits(inferred: InferredSignature | None, declared: Signature) -> bool:
    """Tell whether a name can have a declared signature by all its uses."""
    if inferred is None or len(inferred.sorts) != len(declared.sorts):
        return False
    if inferred.conflict or inferred.assumed or not declared.sort:
        return True
    return inferred.sort == declared.sort or {inferred.sort, declared.sort} == {"Int", "Real"}
