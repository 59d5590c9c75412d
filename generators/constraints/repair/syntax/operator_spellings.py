"""Operators that people and other languages write in place of those of SMT-LIB2."""

from __future__ import annotations

import re

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)

PREFIX = _LISTS.by_word("signs")
"""Signs, by what they stand for."""

_WORDS = _LISTS.by_word("words")

INFIX = {
    name: (name, closeness)
    for closeness, names in enumerate(("=>", "or", "xor", "and", "= < <= > >= distinct", "+ -", "* / mod div"), start=2)
    for name in names.split()
}
"""Operators that may stand between their arguments, by how closely they bind."""
REVERSED = "<=="
"""An implication that is read from the right: `q <== p`, `q whenever p`."""
_REVERSED = _LISTS.words("reversed")
_DECORATED = re.compile(r"[.#@]([-+*/<>=&|!]{1,3})|([<>=!&|]{1,3})[.:]")
"""A sign with another one of a library before or after it, such as the `.==` of lifted values."""
EQUIVALENCE = 1
COMPARISON, NEGATION, SIGN, POWER = 6, 6, 9, 10
COMPARISONS = frozenset({"=", "<", "<=", ">", ">=", "distinct"})


def operator(text: str) -> str | None:
    """Return the operator of SMT-LIB a sign or word stands for, itself if it is one; `None` if it is none."""
    if text in PREFIX:
        return PREFIX[text]
    if text in INFIX or text in {"ite", "to_real", "to_int", "is_int"}:
        return text
    decorated = _DECORATED.fullmatch(text)
    if decorated:
        plain = decorated[1] or decorated[2]
        return PREFIX.get(plain) or (plain if plain in INFIX else None)
    return _WORDS.get(re.sub(r"[-_.]|\?$", "", text).lower()) if text[:1].isalpha() else None


def is_reversed(text: str) -> bool:
    """Tell whether a sign or word between two formulas says that the second implies the first."""
    return text in _REVERSED or (text[:1].isalpha() and re.sub(r"[-_.]", "", text).lower() in _REVERSED)
