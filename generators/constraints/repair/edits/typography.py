"""Typographic characters in place of the keywords and plain letters of SMT-LIB2."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import SKIPPED, ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.text.lexicon import word_lists

_SIGNS = word_lists(__file__).by_word("signs")
_INVISIBLE = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_FULL_WIDTH = r"\uff01-\uff5e"
_ODD = re.compile(rf"[{''.join(_SIGNS)}{_INVISIBLE}{_FULL_WIDTH}]|[^\S \t\r\n]|(?![0-9])\d")
_UNSEEN = re.compile(f"[{_INVISIBLE}]")


@edit_kind(
    "typography",
    order=108,
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
        RepairExample(
            "(declare-const x Int)\n(assert (> x ١٢))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 12))\n(check-sat)\n",
        ),
        RepairExample(
            "（declare-const x Int）\n（assert （＞ x １０））\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 10))\n(check-sat)\n",
        ),
    ),
)
def typography(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write signs and blanks as a keyboard has them, outside of comments."""
    spans = [match.span() for match in SKIPPED.finditer(draft.text)]
    number = 0
    for match in _ODD.finditer(draft.text):
        start, end = match.span()
        while number < len(spans) and spans[number][1] <= start:
            number += 1
        if number < len(spans) and spans[number][0] <= start:
            continue
        sign = _plain(match[0])
        # Between names, as in `x≤3`, a word needs blanks around it.
        word = bool(sign.strip(" ()")) and not sign.isdecimal() and sign not in "-'\"," and match[0] < "\uff01"
        before, after = draft.text[start - 1 : start] if start else "", draft.text[end : end + 1]
        lead = " " if word and (before.isalnum() or before in {"_", ")"}) else ""
        tail = " " if word and (after.isalnum() or after in {"_", "("}) else ""
        yield RepairChange(start, end, f"{lead}{sign}{tail}")


def _plain(sign: str) -> str:
    """Return the keyboard's form of a character: nothing for an invisible one, a blank for any other space."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    if _UNSEEN.fullmatch(sign):
        return ""
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    return chr(ord(sign) - 0xFEE0) if "\uff01" <= sign <= "\uff5e" else " "
