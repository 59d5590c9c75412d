"""The syntax tree of an equation: numbers, operations, their positions in the line, and the truth value."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.domain import Exact


class Truth(enum.StrEnum):
    """Whether an equation holds.

    TRUE: in some sense that its author can mean, `25 cents * 4 = $1` among them. ROUNDED: the right side is the left side
    to the places written there, or as the line announces. FALSE: in none. UNKNOWN: it divides by zero, the numbers are
    larger than anyone means, or it is right but for a percent sign, a minus sign that a word stands for (`80 fewer`), or
    a run-on without an end (`4 * 6 = 24 * 60`).
    """

    TRUE = "true"
    ROUNDED = "rounded"
    FALSE = "false"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Number:
    """A number: `start` to `end` is the number with its `$` or `%`, the outer span also has the words of its unit.

    `value` is a hundredth of what is written before `%`, and `scale` times what is written before `million`; `places`
    are the decimals written; `unit` is the word after the number, singular and in lower case, `$` where a currency sign
    stands, and empty where there is none.
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
    """Two expressions and the sign between them: `operator` is one of `+ - * / // **`.

    `sign_start` to `sign_end` is the sign as written, `×` or `divided by`; it is empty in `2(3+4)`.
    """

    operator: str
    sign_start: int
    sign_end: int
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
        """Return what stands inside."""
        return self.inner.value


@dataclass(frozen=True, slots=True)
class Negative:
    """An expression after a minus sign."""

    inner: Expression
    start: int
    end: int

    @property
    def value(self) -> Exact | None:
        """Return the negative of what follows the sign."""
        return None if self.inner.value is None else -self.inner.value


Expression = Number | Operation | ParenthesizedExpression | Negative
"""`value` is `None` where it divides by zero or grows too large; `start` and `end` are places in the line."""


@dataclass(frozen=True, slots=True)
class StatedEquation:
    """Two sides and the word or sign between them: `=`, `≈`, `is`, `equals`; `annotation` where it stands in `<<…>>`."""

    left: Expression
    right: Expression
    start: int
    end: int
    annotation: bool
    truth: Truth
    link: str


NAMING = frozenset({"a name", "a definition"})
"""The reasons of what only names a value."""


@dataclass(frozen=True, slots=True)
class UnreadEquation:
    """An equals sign, or a malformed annotation, that is no readable equation, and why."""

    start: int
    end: int
    reason: str

    @property
    def claims(self) -> bool:
        """Tell whether it may state something false: that a value gets a name does not."""
        return self.reason not in NAMING


@dataclass(frozen=True, slots=True)
class LineReading:
    """What a line states, in the order of the equals signs."""

    equations: tuple[StatedEquation, ...] = ()
    unread: tuple[UnreadEquation, ...] = ()

    @property
    def false(self) -> tuple[StatedEquation, ...]:
        """Return the equations that no reading makes true."""
        return tuple(equation for equation in self.equations if equation.truth is Truth.FALSE)
