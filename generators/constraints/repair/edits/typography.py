"""Typographic characters in place of the keywords and plain letters of SMT-LIB2."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIGNS = {
    "≠": "distinct",
    "≤": "<=",
    "⩽": "<=",
    "≥": ">=",
    "⩾": ">=",
    "∧": "and",
    "∨": "or",
    "¬": "not",
    "⊕": "xor",
    "→": "=>",
    "⇒": "=>",
    "⟹": "=>",
    "⟶": "=>",
    "↔": "=",
    "⇔": "=",
    "≡": "=",
    "−": "-",
    "–": "-",
    "—": "-",
    "×": "*",
    "·": "*",
    "÷": "/",
    "∀": "forall",
    "∃": "exists",
    "（": "(",
    "）": ")",
    "，": ",",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "ℤ": "Int",
    "ℝ": "Real",
    "⊤": "true",
    "⊥": "false",
}
_ODD = re.compile(rf"[{''.join(_SIGNS)}]|[^\S \t\r\n]|[\u200b-\u200d\u2060\ufeff]")
_SKIPPED = re.compile(r';[^\n]*|"(?:[^"\n]|"")*"|\|[^|\\\n]+\|')


@edit_kind(
    "typography",
    order=130,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (∧ (≠ x 3) (≤ x 9) (≥ x (− 1))))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (distinct x 3) (<= x 9) (>= x (- 1))))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x\u00a0Int)\n(assert (> x\u20093))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "; x ≤ 3\n(declare-const x Int)\n(assert (x≤3))\n(check-sat)\n",
            "; x ≤ 3\n(declare-const x Int)\n(assert (<= x 3))\n(check-sat)\n",
        ),
    ),
)
def typography(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write signs and blanks as a keyboard has them, outside of comments."""
    spans = [(found.start(), found.end()) for found in _SKIPPED.finditer(draft.text)]
    number = 0
    for found in _ODD.finditer(draft.text):
        while number < len(spans) and spans[number][1] <= found.start():
            number += 1
        if number < len(spans) and spans[number][0] <= found.start():
            continue
        sign = _SIGNS.get(found.group(), "" if found.group() in "\u200b\u200c\u200d\u2060\ufeff" else " ")
        # Between names, as in `x≤3`, a word needs blanks around it.
        before, after = draft.text[: found.start()][-1:], draft.text[found.end() :][:1]
        lead = " " if sign.strip(" ()") and (before.isalnum() or before in {"_", ")"}) and sign not in "-'\"," else ""
        tail = " " if sign.strip(" ()") and (after.isalnum() or after in {"_", "("}) and sign not in "-'\"," else ""
        yield RepairChange(found.start(), found.end(), f"{lead}{sign}{tail}")
