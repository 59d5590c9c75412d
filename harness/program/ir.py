"""The intermediate representation: the nodes of the program language that every dialect lifts to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from typing import Any

from harness.domain import Exact, Parameter

Literal = int | Fraction | bool | str | None


@dataclass(frozen=True, slots=True)
class Const:
    """A literal; decimal literals are exact fractions of what was written."""

    value: Literal


@dataclass(frozen=True, slots=True)
class Input:
    """The value of the program's parameter number `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class Name:
    """A variable that is read."""

    name: str


@dataclass(frozen=True, slots=True)
class Binary:
    """An arithmetic operation: one of + - * / // % **."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Unary:
    """A sign (+ or -) or `not`."""

    operator: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Comparison:
    """A chain `a < b <= c`: one operator fewer than operands."""

    operators: tuple[str, ...]
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Boolean:
    """A short-circuit `and` or `or`."""

    operator: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Conditional:
    """`then if test else otherwise`."""

    test: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a builtin, a `math` function (`math.ceil` is `ceil`) or a function of the program."""

    function: str
    arguments: tuple[Expr, ...]
    keywords: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """A method call on a value: `.subs`."""

    receiver: Expr
    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Subscript:
    """`receiver[index]`."""

    receiver: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list or tuple display."""

    kind: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Comprehension:
    """The list `[element for targets in iterable if condition]`."""

    element: Expr
    targets: tuple[str, ...]
    iterable: Expr
    conditions: tuple[Expr, ...]


Expr = (
    Const
    | Input
    | Name
    | Binary
    | Unary
    | Comparison
    | Boolean
    | Conditional
    | Call
    | Method
    | Subscript
    | Sequence
    | Comprehension
)


def nodes_of(part: object) -> Iterator[Any]:
    """Yield a node, or the nodes of a tuple, and all that they hold, in the order of the text."""
    if isinstance(part, tuple):
        for item in part:
            yield from nodes_of(item)
    elif is_dataclass(part):
        yield part
        for slot in part.__slots__:  # type: ignore[union-attr]  # every node has them
            yield from nodes_of(getattr(part, slot))


def assigned_names(statements: tuple[Stmt, ...]) -> Iterator[str]:
    """Yield the names that statements assign, those of comprehensions aside."""
    return (name for node in nodes_of(statements) if isinstance(node, Assign | For) for name in node.targets)


def names_in_order(node: object) -> Iterator[str]:
    """Yield the variables an expression reads, left to right, again where it reads them again."""
    if isinstance(node, Name):
        yield node.name
    elif isinstance(node, tuple):
        for part in node:
            yield from names_in_order(part)
    elif isinstance(node, Conditional):
        yield from names_in_order((node.then, node.test, node.otherwise))
    elif isinstance(node, Comprehension):
        yield from (name for name in names_in_order(node.element) if name not in node.targets)
        yield from names_in_order(node.iterable)
        yield from (name for name in names_in_order(node.conditions) if name not in node.targets)
    elif is_dataclass(node):
        for slot in node.__slots__:  # type: ignore[union-attr]  # as above
            yield from names_in_order(getattr(node, slot))


def names_of(node: object) -> frozenset[str]:
    """Return the variables an expression reads and the functions it calls."""
    parts = (part for part in nodes_of(node) if isinstance(part, Name | Call))
    return frozenset(part.name if isinstance(part, Name) else part.function for part in parts)


def numbers_in(part: object) -> frozenset[Exact]:
    """Return the numbers that stand in a part of a program as they are."""
    values = (node.value for node in nodes_of(part) if isinstance(node, Const))
    return frozenset(value for value in values if isinstance(value, int | Fraction) and not isinstance(value, bool))


@dataclass(frozen=True, slots=True)
class Assign:
    """`a = b = value` or `a, b = value`; `unpack` tells the second."""

    targets: tuple[str, ...]
    value: Expr
    line: int
    unpack: bool = False


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression statement, `print(x)` among them."""

    value: Expr
    line: int


@dataclass(frozen=True, slots=True)
class If:
    """A conditional statement."""

    test: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    line: int


@dataclass(frozen=True, slots=True)
class For:
    """A loop over a sequence."""

    targets: tuple[str, ...]
    iterable: Expr
    body: tuple[Stmt, ...]
    line: int


@dataclass(frozen=True, slots=True)
class While:
    """A loop on a condition."""

    test: Expr
    body: tuple[Stmt, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Jump:
    """`break` or `continue`."""

    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Return:
    """The end of a function."""

    value: Expr
    line: int


Stmt = Assign | Evaluate | If | For | While | Jump | Return


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program; `defaults` align with the last arguments."""

    name: str
    arguments: tuple[str, ...]
    defaults: tuple[Expr, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A formalization: run `body`, then read the answer.

    `answer` is the expression that holds the result after `body` has run, or `None` where the last printed value is the result.
    """

    dialect: str
    code: str
    parameters: tuple[Parameter, ...]
    functions: dict[str, Function]
    body: tuple[Stmt, ...]
    answer: Expr | None
    repairs: tuple[str, ...] = ()
