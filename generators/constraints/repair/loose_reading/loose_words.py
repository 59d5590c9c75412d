"""Words of notations that are not known: the operators that they are or hold, and whether they say anything beside a term."""

from __future__ import annotations

import re
from collections.abc import Container

from generators.constraints.repair.loose_reading.pieces import Piece, PieceKind
from generators.constraints.repair.syntax.operator_spellings import operator
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_CHANGING = _LISTS.words("changing")
_WRAPPING = _LISTS.words("wrapping")
_FILLING = _LISTS.words("filling")
_NAMING = _LISTS.words("naming")
_PLAIN = _LISTS.words("plain")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_PREFIXES = re.compile(r"(?:bv|fp|fd|int|real|bool)[us]?(?=[a-z]{2})")
MOST_PARTS = 12
"""The parts of a word, such as three of `mk_and_expr`, beyond which no operator is looked for among them."""
_RAISING = frozenset("^√∑∏~¬")
"""Signs before a name that make another term of it."""


def operation(text: str, known: Container[str]) -> str | None:
    """Return the operator that a word is, by itself or by its parts, as in `Kind.LT`, `mk_and` and `GreaterThanExpr`; names in `known` are none."""
    if text in known:
        return None
    last = re.split(r"\.|::|->|/", text)[-1]
    name = operator(text) or operator(last)
    if name is not None:
        return name
    parts = [part.lower() for part in _PART.findall(last)]
    if len(parts) > MOST_PARTS:
        return None
    for size in range(len(parts), 0, -1):
        for start in range(len(parts) - size, -1, -1):
            word = "".join(parts[start : start + size])
            rest = [
                part for part in parts[:start] + parts[start + size :] if part not in _NAMING and not part.isdigit()
            ]
            name = operator(word) or operator(_PREFIXES.sub("", word))
            if name is not None and name not in {"forall", "exists", "let"} and not (word in _PLAIN and rest):
                return None if any(part in _CHANGING for part in rest) else name
    return None


def wraps(word: str) -> bool:
    """Tell whether a word only says that a name or a number is behind it."""
    return all(part.lower() in _WRAPPING or part.isdigit() for part in _PART.findall(word))


def says_nothing(piece: Piece, following: Piece | None) -> bool:
    """Tell whether a piece that is no term and no operator says nothing beside one: a filling word, or a mark at a name."""
    if piece.kind is PieceKind.WORD:
        return piece.text.lower() in _FILLING
    marks = following is not None and following.touching and not piece.touching and len(piece.text) == 1
    return piece.kind is not PieceKind.SIGN or (marks and piece.text not in _RAISING)


def changes(word: str) -> bool:
    """Tell whether a word may make another term of what stands beside it."""
    return any(part.lower() in _CHANGING for part in _PART.findall(word))
