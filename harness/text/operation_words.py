"""The words that state the operation of a line, and those that a change replaces or makes stale."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.text.lexicon import english

_LISTS = english("operation_words")

SAYING: dict[str, str] = _LISTS.mapping("saying")
_SAYING = {operator: frozenset(words.split()) for operator, words in SAYING.items()}
UP_DOWN: tuple[tuple[str, str], ...] = tuple(_LISTS.mapping("up_down").items())
"""Words for a bound or a rounding, with those for its opposite."""
SMALL_LARGE: tuple[tuple[str, str], ...] = tuple(_LISTS.mapping("small_large").items())
"""Words for the least of several, with those for the greatest."""
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class RewordedText:
    """A text with the words that go with a change replaced, and the words that still say the old operation."""

    text: str
    changed: tuple[tuple[str, str], ...]
    stale: tuple[str, ...]


def operators(expression: ir.Expr) -> Counter[str]:
    """Count the operators of an expression."""
    return Counter(node.operator for _, node in nodes(expression) if isinstance(node, ir.Binary))


@dataclass(frozen=True, slots=True)
class Rewording:
    """The replacements of words that go with a change, and the words of an operation that is gone."""

    swaps: Mapping[str, str]
    gone: frozenset[str]

    @classmethod
    def of_change(cls, before: ir.Expr, after: ir.Expr, words: Iterable[tuple[str, str]] = ()) -> Rewording:
        """Return the pairs of words that go with a change, and the words of the operators that it takes away."""
        old, new = operators(before), operators(after)
        saying = frozenset[str]().union(*(_SAYING.get(sign, frozenset()) for sign in old if not new[sign]))
        return cls(dict(words), saying.difference(*(_SAYING.get(sign, frozenset()) for sign in new)))

    def reword(self, text: str) -> RewordedText:
        """Return a text with its words adapted to the change; words of an operator stay, since no other word has their grammar."""
        if not self.swaps and not self.gone:
            return RewordedText(text, (), ())
        changed: list[tuple[str, str]] = []
        stale: list[str] = []

        def follow(match: re.Match[str]) -> str:
            word = match.group()
            lower = word.lower()
            other = self.swaps.get(lower)
            if other is not None:
                written = other.capitalize() if word[0].isupper() else other
                changed.append((word, written))
                return written
            if lower in self.gone:
                stale.append(lower)
            return word

        return RewordedText(_WORD.sub(follow, text), tuple(changed), tuple(dict.fromkeys(stale)))
