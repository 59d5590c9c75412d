"""The words that state the operation of a line, and those that a change replaces or makes stale."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.text.lexicon import english

_LISTS = english("operation_words")

SAYING: dict[str, str] = _LISTS.mapping("saying")
UP_DOWN: tuple[tuple[str, str], ...] = tuple(_LISTS.mapping("up_down").items())
"""Words for a bound or a rounding, with those for its opposite."""
SMALL_LARGE: tuple[tuple[str, str], ...] = tuple(_LISTS.mapping("small_large").items())
"""Words for the least of several, with those for the greatest."""
_WORD = re.compile(r"[A-Za-z]+")


def operators(expression: ir.Expr) -> Counter[str]:
    """Count the operators of an expression."""
    return Counter(node.operator for _, node in nodes(expression) if isinstance(node, ir.Binary))


def lost_operation_words(before: ir.Expr, after: ir.Expr) -> frozenset[str]:
    """Return the words of the operators that a change takes away, without those of the operators that it leaves."""
    old, new = operators(before).keys(), operators(after).keys()
    return _words_saying(old - new) - _words_saying(new)


def _words_saying(signs: Iterable[str]) -> frozenset[str]:
    return frozenset(word for sign in signs for word in SAYING.get(sign, "").split())


def with_words_replaced(text: str, others: Mapping[str, str]) -> str:
    """Return a text with other words for some, given in small letters; a word of an operator has no other one with its grammar."""

    def other(match: re.Match[str]) -> str:
        word = match.group()
        written = others.get(word.lower(), word)
        return written.capitalize() if word[0].isupper() and written != word else written

    return _WORD.sub(other, text) if others else text
