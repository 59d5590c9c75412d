"""Words that people write for sorts, and the SMT-LIB2 sort that each of them means."""

from __future__ import annotations

import re

from generators.constraints.repair.edit_kind import ProgramDraft
from harness.text.lexicon import word_lists

_TESTS = frozenset({"integer?", "boolean?", "real?"})
"""Sorts of Scheme. Elsewhere a question mark says that there may be no value."""
_WORDS = word_lists(__file__).by_word("sorts")


def sort_name(draft: ProgramDraft, text: str) -> str | None:
    """Return the sort a word names in a program, its own first; `None` where it names none."""
    scope = draft.script.scope
    if text in scope.sorts or text in scope.aliases:
        return text
    if text.endswith("?") and text not in _TESTS:
        return None
    plain = re.sub(r"[-_()?]", "", text).lower()
    own = [name for name in (*scope.sorts, *scope.aliases) if re.sub(r"[-_]", "", name).lower() == plain]
    if len(own) == 1:
        return own[0]
    return _WORDS.get(plain) if text not in scope.symbols else None
