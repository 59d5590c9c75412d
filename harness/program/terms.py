"""What does a value look like while the inputs are still open? Terms over inputs, built by the same evaluator."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Number = int | Fraction


class Term:
    """An operation on terms and exact numbers; compared by identity, shared where the program shares.

    `operator` is one of: input, + - * / // % **, floor ceil trunc round abs min max, and the comparisons
    < <= > >= == != that only decide paths.
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


def open_input(index: int) -> Term:
    """Return the term of a parameter that is left open."""
    return Term("input", (index,))


@dataclass(frozen=True, slots=True)
class OpenRange:
    """A range whose length is still open; `count` must be an integer, which whoever uses the result has to check."""

    count: Term
