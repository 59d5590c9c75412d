"""Numerals of other languages: leading zeros, a point or a letter at the end, signs between digits, a power of ten, a factor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.s_expressions import AtomKind
from harness.smtlib.symbols import INT, REAL

_FORMS = (
    re.compile(r"0+(\d+)"),
    re.compile(r"(\d+)\."),
    re.compile(r"(\d+(?:_\d+)+)"),
    re.compile(r"(\d+)(?:[LuU]|/1)"),
    re.compile(r"(\d+)(?:st|nd|rd|th)"),
)
_LETTERS = re.compile(r"[\dOolI]*\d[\dOolI]*")
_SCIENTIFIC = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)[eE]([+-]?\d)")
_FACTOR = re.compile(r"(\d+(?:\.\d+)?)\*?([A-Za-z_]\w*)")


@edit_kind(
    "numeral_form",
    order=160,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (> x 007))\n(assert (distinct x 11th))\n(assert (< x 1_000))\n(assert (distinct x 9.))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 7))\n(assert (distinct x 11))\n(assert (< x 1000))\n(assert (distinct x 9))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> 2x 10L))\n(assert (< x 2e3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> (* 2 x) 10))\n(assert (< x 2000))\n(check-sat)\n",
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
        factor = _FACTOR.fullmatch(atom.text)
        signature = draft.script.scope.symbols.get(factor[2]) if factor else None
        if factor and signature is not None and signature.sort in {INT, REAL} and not signature.sorts:
            yield replacement(atom, f"(* {factor[1]} {factor[2]})")
            continue
        if scientific := _SCIENTIFIC.fullmatch(atom.text):
            yield replacement(atom, _plain(Decimal(scientific[1]).scaleb(int(scientific[2]))))
            continue
        if _LETTERS.fullmatch(atom.text) and not atom.text.isdigit():
            digits = atom.text.translate(str.maketrans("OolI", "0011"))
            yield replacement(atom, digits, certain=False, note="letters taken for the digits that look like them")
            continue
        match = next(filter(None, (form.fullmatch(atom.text) for form in _FORMS)), None)
        if match:
            yield replacement(atom, match[1].replace("_", ""))


def _plain(value: Decimal) -> str:
    """Return a number without an exponent, a whole one without a point."""
    return str(int(value)) if value == int(value) else f"{value:f}"
