"""Numbers with a plus sign or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import occurrences, undeclared_names
from harness.text.numbers import TEENS, UNITS

_SIGNED = re.compile(r"\+((?:0|[1-9]\d*)(?:\.\d+)?)")
_WORDS = {word: str(number) for word, number in {**UNITS, **TEENS}.items()}


@edit_kind(
    "number_spelling",
    order=392,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (> x +3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x six))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 6))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def number_spelling(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write digits; a word could also be a name."""
    for name in undeclared_names(draft):
        signed, word = _SIGNED.fullmatch(name), _WORDS.get(name.lower())
        for atom in occurrences(draft, name):
            if signed:
                yield replacement(atom, signed[1])
            elif re.fullmatch(r"[lIO]\d+", name) and name[1:] != "0":
                digits = name.translate(str.maketrans("OlI", "011"))
                yield replacement(atom, digits, certain=False, note="a letter taken for the digit that looks like it")
            elif word is not None:
                yield replacement(atom, word, certain=False, note=f"{name} taken for a number")
