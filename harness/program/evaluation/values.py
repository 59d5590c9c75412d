"""The values of an evaluation: the kinds of exact numbers that Python tells apart, and symbolic terms over open inputs."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Container, Iterator, Mapping
from fractions import Fraction
from typing import Any

from harness.program.refusal import Refusal, RefusalReason

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
        return f"{self.operator}({', '.join(map(repr, self.arguments))})"


Operand = Term | int | Fraction
RATIONAL = frozenset({"input", "+", "-", "*", "/", "**"})
"""The operations of a field; exponents are integers."""
COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


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


class Ratio(Fraction):
    """A value of Python's class `Fraction`."""

    __slots__ = ()


class UntrackedNumber(Fraction):
    """A number whose kind or last digits are not known here: a solution that sympy gives, or the `Fraction` of a float."""

    __slots__ = ()


PLAIN = frozenset({int, bool, Fraction})


def plain(value: Number) -> Number:
    """Return the value as an int or a plain fraction."""
    return value if type(value) in PLAIN else Fraction(value)


def as_kind(kind: type, value: Number) -> Number:
    """Return a number as one of a kind."""
    return kind(value) if kind in {Ratio, UntrackedNumber} else value


def mixed(exact: Callable[[str, Number, Number], Number], sign: str, left: Number, right: Number) -> Number:
    """Apply an arithmetic operator to numbers of which at least one is neither an int nor a float; `exact` does so for plain ones.

    Raises:
        ProgramError: the exception that Python raises.
        Refusal: Python rounds, or gives what is no number.
    """
    kinds = {type(left), type(right)} - {int, bool}
    if UntrackedNumber in kinds:
        if (sign in {"/", "//", "%"} and right == 0) or (sign == "**" and left == 0):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{sign} by zero in sympy")
        return UntrackedNumber(exact(sign, plain(left), plain(right)))
    result = exact(sign, plain(left), plain(right))
    if Fraction in kinds:
        return Fraction(result)
    if sign == "//":
        return math.floor(result)
    if sign != "**":
        return Ratio(result)
    if right.denominator != 1:
        return Fraction(result)
    return int(result) if isinstance(left, int) and right >= 0 else Ratio(result)
