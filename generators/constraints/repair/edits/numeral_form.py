"""Numerals with leading zeros, a point at the end, or signs between groups of three digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.s_expressions import AtomKind

_FORMS = (
    re.compile(r"0+(\d+)"),
    re.compile(r"(\d+)\."),
    re.compile(r"([1-9]\d{0,2}(?:_\d{3})+)"),
)


@edit_kind(
    "numeral_form",
    order=160,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (> x 007))\n(assert (< x 1_000))\n(assert (distinct x 9.))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 7))\n(assert (< x 1000))\n(assert (distinct x 9))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 1.2.3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 1.2.3))\n(check-sat)\n",
        ),
    ),
)
def numeral_form(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the digits of a whole number alone."""
    for atom in draft.atoms():
        if atom.kind is not AtomKind.ODD or not draft.path(atom.at.offset):
            continue
        for form in _FORMS:
            if match := form.fullmatch(atom.text):
                yield replacement(atom, match[1].replace("_", ""))
