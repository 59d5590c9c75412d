"""Bounded search for small expressions over a problem's numbers that give its exact answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.domain import Exact

MOST_LEAVES = 7
"""How many numbers one expression uses at most."""
LARGEST_TABLE = 4
"""Of up to so many numbers all values are listed; more are searched backwards from the answer."""
LARGEST = 10**9
CONSTANTS: tuple[Exact, ...] = (2, 3, 4, 7, 12, 24, 30, 52, 60, 100)
"""World knowledge that a problem need not say; an expression may use one of them."""

Leaf = tuple[ir.Expr, Fraction]
Choices = tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class AnswerExpression:
    """An expression that gives the answer, and the variables it reads."""

    expression: ir.Expr
    variables: frozenset[str]


def readings(variable: str, values: Sequence[Exact]) -> Choices:
    """Return how a number of the text may enter an expression: as each of its readings, a share also as what it leaves or adds to."""
    name = ir.Name(variable)
    chosen: list[Leaf] = [(name, Fraction(values[0]))]
    if 0 < values[0] < 1:
        chosen += [
            (ir.Binary("-", ir.Const(1), name), 1 - Fraction(values[0])),
            (ir.Binary("+", ir.Const(1), name), 1 + Fraction(values[0])),
        ]
    return tuple(chosen)


def search(numbers: Mapping[str, Choices], answer: Exact, *, missing: int, extra: bool) -> Iterator[AnswerExpression]:
    """Yield an expression for each set of all but `missing` numbers that can give the answer, with `extra` one constant or repeated number more."""
    target = Fraction(answer)
    constants = [(None, ((ir.Const(value), Fraction(value)),)) for value in CONSTANTS]
    for names in combinations(sorted(numbers), len(numbers) - missing):
        if not names or len(names) + extra > MOST_LEAVES:
            continue
        more: list[Choices] = [choices for _, choices in constants] + [numbers[name] for name in names] if extra else []
        for added in more or [()]:
            leaves = [numbers[name] for name in names] + ([added] if added else [])
            expression = _Search(leaves).solve((1 << len(leaves)) - 1, target)
            if expression is not None:
                yield AnswerExpression(expression, frozenset(names))
                break


@dataclass(slots=True)
class _Search:
    leaves: list[Choices]
    tables: dict[int, dict[Fraction, ir.Expr]] = field(default_factory=dict)
    solved: dict[tuple[int, Fraction], ir.Expr | None] = field(default_factory=dict)

    def table(self, which: int) -> dict[Fraction, ir.Expr]:
        """Return all values of a set of leaves, each with one expression."""
        known = self.tables.get(which)
        if known is not None:
            return known
        found: dict[Fraction, ir.Expr] = {}
        if which & (which - 1) == 0:
            for expression, value in self.leaves[which.bit_length() - 1]:
                found.setdefault(value, expression)
        else:
            for part, other in _splits(which):
                for left, first in self.table(part).items():
                    for right, second in self.table(other).items():
                        for operator, result in _results(left, right):
                            if result is not None and result not in found:
                                found[result] = _binary(operator, first, second)
        self.tables[which] = found
        return found

    def solve(self, which: int, target: Fraction) -> ir.Expr | None:
        """Return an expression over all leaves of a set that gives a value."""
        if not 0 < abs(target) <= LARGEST:
            return None
        if which.bit_count() <= LARGEST_TABLE:
            return self.table(which).get(target)
        key = (which, target)
        if key not in self.solved:
            self.solved[key] = None
            self.solved[key] = self._solve(which, target)
        return self.solved[key]

    def _solve(self, which: int, target: Fraction) -> ir.Expr | None:
        for part, other in _splits(which):
            small, large = sorted((part, other), key=int.bit_count)
            for value, expression in self.table(small).items():
                for operator, rest, first in _rests(value, target):
                    found = self.solve(large, rest)
                    if found is not None:
                        return _binary(operator, expression, found) if first else _binary(operator, found, expression)
        return None


def _splits(which: int) -> Iterator[tuple[int, int]]:
    """Yield each way to split a set in two, once."""
    part = (which - 1) & which
    while part:
        if part > which ^ part:
            yield part, which ^ part
        part = (part - 1) & which


def _results(left: Fraction, right: Fraction) -> Iterator[tuple[str, Fraction | None]]:
    """Yield what two positive values give, as far as it is positive; `-~` and `/~` take them in the other order."""
    yield "+", left + right
    yield "*", _bounded(left * right)
    if left > right:
        yield "-", left - right
    elif right > left:
        yield "-~", right - left
    yield "/", _bounded(left / right)
    yield "/~", _bounded(right / left)


def _bounded(value: Fraction) -> Fraction | None:
    return value if value.numerator <= LARGEST and value.denominator <= LARGEST else None


def _rests(value: Fraction, target: Fraction) -> Iterator[tuple[str, Fraction, bool]]:
    """Yield operator, the other operand, and whether the known value stands first, for each way to come to the target."""
    if target > value:
        yield "+", target - value, True
    yield "*", target / value, True
    yield "-", target + value, False
    if value > target:
        yield "-", value - target, True
    yield "/", target * value, False
    yield "/", value / target, True


def _binary(operator: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if operator.endswith("~"):
        return ir.Binary(operator[0], right, left)
    return ir.Binary(operator, left, right)
