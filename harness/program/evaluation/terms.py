"""Symbolic terms over open inputs, which the evaluator builds in place of numbers."""

from __future__ import annotations

from collections.abc import Container, Iterator
from fractions import Fraction

Number = int | Fraction


class Term:
    """An operation on terms and exact numbers; compared by identity, shared where the program shares.

    `operator` is one of: input, + - * / // % **, floor ceil trunc round abs min max, and the comparisons
    < <= > >= == !=, which decide paths, and are 1 or 0 within arithmetic.
    """

    __slots__ = ("arguments", "operator")

    def __init__(self, operator: str, arguments: tuple[Operand, ...]) -> None:
        """Build the node; an input has its index as the only argument."""
        self.operator = operator
        self.arguments = arguments

    def __repr__(self) -> str:
        """Show the term in prefix form."""
        return f"{self.operator}({', '.join(map(repr, self.arguments))})"


Operand = Term | int | Fraction
RATIONAL = frozenset({"input", "+", "-", "*", "/", "**"})
"""The operations of a field; exponents are integers."""
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


def open_input(index: int) -> Term:
    """Return the term of a parameter that is left open."""
    return Term("input", (index,))


def subterms(operand: Operand, known: Container[int] = ()) -> Iterator[Term]:
    """Yield each term under an operand once, arguments before what uses them, however deep they nest.

    Terms whose `id` is in `known`, and what is below them, are left out; `known` may grow meanwhile.
    """
    pending = [operand]
    opened: set[int] = set()
    closed: set[int] = set()
    while pending:
        term = pending[-1]
        if not isinstance(term, Term) or id(term) in closed or id(term) in known:
            pending.pop()
        elif id(term) not in opened:
            opened.add(id(term))
            pending.extend(part for part in term.arguments if isinstance(part, Term) and id(part) not in opened)
        else:
            pending.pop()
            closed.add(id(term))
            yield term


def depth(operand: Operand) -> int:
    """Return the depth of a term, 0 for a number."""
    depths: dict[int, int] = {}
    for term in subterms(operand, depths):
        depths[id(term)] = 1 + max((depths.get(id(argument), 0) for argument in term.arguments), default=0)
    return depths.get(id(operand), 0)
