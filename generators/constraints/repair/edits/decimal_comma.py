"""Decimal numbers with a comma, as many languages write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import COMMENTS, code_matches
from harness.smtlib.symbols import INT, REAL

_NUMBER = re.compile(r"(?<=[\s(])\d+,\d+(?=[\s)])")
_CALLED = re.compile(r"\w\(\s*\d+,\d+\s*\)")


@edit_kind(
    "decimal_comma",
    order=93,
    examples=(
        RepairExample(
            "(declare-const x Real)\n(assert (> x 3,5))\n(check-sat)\n",
            "(declare-const x Real)\n(assert (> x 3.5))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (distinct x, y))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (distinct x y))\n(check-sat)\n",
        ),
    ),
)
def decimal_comma(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write a point, where the program has real numbers and no whole ones; a comma may part two numbers, too."""
    sorts = {signature.sort for signature in draft.script.scope.symbols.values()}
    if draft.script.valid or REAL not in sorts or INT in sorts or _CALLED.search(draft.text):
        return
    for match in code_matches(_NUMBER, draft.text, COMMENTS):
        after = match[0].replace(",", ".")
        yield RepairChange(match.start(), match.end(), after, certain=False, note=f"{match[0]} may be two numbers")
