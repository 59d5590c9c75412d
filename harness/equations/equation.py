"""The syntax tree of an equation: numbers, operations, their positions in the line, and the truth value."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from harness.domain import Exact


class Truth(enum.StrEnum):
    """Whether an equation holds.

    TRUE: it holds in some sense that its author can mean, such as `25 cents * 4 = $1`. ROUNDED: the right side is the left side
    rounded to its written places, or as the line announces. FALSE: it holds in no sense. UNKNOWN: it divides by zero, its numbers
    are too large, or it is true except for a percent sign, a minus sign that a word expresses (`80 fewer`), or an unfinished
    chain (`4 * 6 = 24 * 60`).
    """

    TRUE = "true"
    ROUNDED = "rounded"
    FALSE = "false"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Number:
    """A number: `start` to `end` spans the number with its `$` or `%`, the outer span also the words of its unit.

    `value` is a hundredth of the number before `%`, and `scale` times the number before `million`; `places` is the number of
    written decimals; `unit` is the word after the number, singular and in lower case, `$` for a currency sign, or empty.
    """

    value: Exact | None
    start: int
    end: int
    outer_start: int
    outer_end: int
    percent: bool = False
    places: int = 0
    unit: str = ""
    scale: int = 1


@dataclass(frozen=True, slots=True)
class Operation:
    """Two expressions and the sign between them: `operator` is one of `+ - * / // **`."""

    operator: str
    left: Expression
    right: Expression
    value: Exact | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParenthesizedExpression:
    """An expression in parentheses or brackets, which are within `start` to `end`."""

    inner: Expression
    start: int
    end: int

    @property
    def value(self) -> Exact | None:
        """Return the value of the inner expression."""
        return self.inner.value


@dataclass(frozen=True, slots=True)
class Negative:
    """An expression after a minus sign."""

    inner: Expression
    start: int
    end: int

    @property
    def value(self) -> Exact | None:
        """Return the negative of the inner expression's value."""
        return None if self.inner.value is None else -self.inner.value


Expression = Number | Operation | ParenthesizedExpression | Negative
"""`value` is `None` after a division by zero or for a number that is too large; `start` and `end` are offsets in the line."""


def numbers(expression: Expression) -> Iterator[Number]:
    """Yield the numbers of an expression from left to right."""
    if isinstance(expression, Number):
        yield expression
    elif isinstance(expression, Operation):
        yield from (*numbers(expression.left), *numbers(expression.right))
    else:
        yield from numbers(expression.inner)


def operations(expression: Expression) -> Iterator[Operation]:
    """Yield the operations of an expression, the outermost first."""
    if isinstance(expression, Operation):
        yield from (expression, *operations(expression.left), *operations(expression.right))
    elif not isinstance(expression, Number):
        yield from operations(expression.inner)


@dataclass(frozen=True, slots=True)
class StatedEquation:
    """Two sides with a word or sign between them, such as `=`, `≈`, `is`, or that of a comparison; `annotation` where it stands in `<<…>>`."""

    left: Expression
    right: Expression
    start: int
    end: int
    annotation: bool
    truth: Truth


NAMING = frozenset({"a name", "a definition"})
"""The reasons of unread equations that only name a value."""


@dataclass(frozen=True, slots=True)
class UnreadEquation:
    """An equals sign or a malformed annotation that is no readable equation, with the reason."""

    start: int
    end: int
    reason: str

    @property
    def claims(self) -> bool:
        """Tell whether it may state something false; naming a value does not."""
        return self.reason not in NAMING


@dataclass(frozen=True, slots=True)
class LineReading:
    """The equations of a line, read and unread, in the order of the equals signs, and its comparisons by `<`, `≥`, `≠` and their like."""

    equations: tuple[StatedEquation, ...] = ()
    unread: tuple[UnreadEquation, ...] = ()
    comparisons: tuple[StatedEquation, ...] = ()

    @property
    def false(self) -> tuple[StatedEquation, ...]:
        """Return the equations that no reading makes true."""
        return tuple(equation for equation in self.equations if equation.truth is Truth.FALSE)

    @property
    def refuted(self) -> tuple[StatedEquation, ...]:
        """Return the equations and the comparisons that no reading makes true."""
        return (*self.false, *(comparison for comparison in self.comparisons if comparison.truth is Truth.FALSE))
