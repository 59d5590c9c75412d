"""The words that state the operation of a line, and their replacements when the operation changes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.text.lexicon import english

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LISTS = english("operation_words")

SAYING: dict[str, str] = _LISTS.mapping("saying")
_SAYING = {operator: frozenset(words.split()) for operator, words in SAYING.items()}
# By (old, new) operator, words that say the old one and those that say the new one in the same place.
SWAPS: dict[tuple[str, str], dict[str, str]] = {
    (signs[0], signs[2]): dict(words) for signs, words in _LISTS.mapping("swaps").items()
}
SWAPS |= {
    (new, old): {after: before for before, after in reversed(words.items())} for (old, new), words in SWAPS.items()
}
SWAPS["-", "+"] |= {"less": "more", "fewer": "more", "shorter": "longer"}
UP_DOWN: tuple[tuple[str, str], ...] = tuple(_LISTS.mapping("up_down").items())
"""Words for a bound or a rounding, with those for its opposite."""
SMALL_LARGE: tuple[tuple[str, str], ...] = tuple(_LISTS.mapping("small_large").items())
"""Words for the least of several, with those for the greatest."""
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class RewordedText:
    """A text whose operator words were adapted to a change, and the words that still say the old operation."""

    text: str
    changed: tuple[tuple[str, str], ...]
    stale: tuple[str, ...]


def operators(expression: ir.Expr) -> Counter[str]:
    """Count the operators of an expression."""
    return Counter(node.operator for _, node in nodes(expression) if isinstance(node, ir.Binary))


@dataclass(frozen=True, slots=True)
class Rewording:
    """The replacements of operator words after a change, and the words of an operation that is gone."""

    swaps: Mapping[str, str]
    gone: frozenset[str]

    @classmethod
    def of_change(cls, before: ir.Expr, after: ir.Expr, words: Iterable[tuple[str, str]] = ()) -> Rewording:
        """Return the replacements for a changed expression; `words` are pairs for this change alone."""
        old, new = operators(before), operators(after)
        gone, come = [*(old - new)], [*(new - old)]
        swaps = dict(words)
        if len(gone) == len(come) == 1:
            swaps = {**SWAPS.get((gone[0], come[0]), {}), **swaps}
        lost = [sign for sign in gone if not new[sign]]
        saying = frozenset[str]().union(*(_SAYING.get(sign, frozenset()) for sign in lost))
        return cls(swaps, saying.difference(*(_SAYING.get(sign, frozenset()) for sign in new)))

    def reword(self, text: str) -> RewordedText:
        """Return a text with its words adapted to the change."""
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
