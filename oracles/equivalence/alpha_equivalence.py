"""A canonical key for programs that differ only in variable names and in the order of their inputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from harness.program.ir import Program


def canonical_key(program: Program, numbers: Mapping[int, int]) -> Hashable:
    """Return a key that is equal only for programs that run alike, step by step, on aligned inputs.

    `numbers` give the aligned inputs common numbers; the others stand as their values. Variables are numbered in the
    order of their first assignment; a statement that only names an input is left out, and the name read as the input.
    Inputs and constants keep their Python type: a float is no loop bound.
    """
    writer = _Writer(program, numbers)
    body = writer.block(program.body, writer.top)
    answer = None if program.answer is None else writer.expression(program.answer, writer.top)
    # After the body: a function may read what the top level assigns.
    functions = {name: writer.function(function) for name, function in program.functions.items()}
    return (body, answer, frozenset(functions.items()))


@dataclass(slots=True)
class _Names:
    """The names of one scope: what each stands for; unknown ones are read from the scope around it."""

    known: dict[str, Hashable] = field(default_factory=dict)
    count: int = 0

    def assign(self, name: str) -> Hashable:
        """Return the number of a variable, a new one where the name is new or stood for an input."""
        standing = self.known.get(name)
        if not isinstance(standing, int):
            self.count += 1
            self.known[name] = self.count
        return self.known[name]


@dataclass(slots=True)
class _Writer:
    program: Program
    numbers: Mapping[int, int]
    top: _Names = field(default_factory=_Names)

    def function(self, function: ir.Function) -> Hashable:
        names = _Names()
        arguments = tuple(names.assign(argument) for argument in function.arguments)
        defaults = tuple(self.expression(default, self.top) for default in function.defaults)
        return (arguments, defaults, self.block(function.body, names))

    def block(self, statements: tuple[ir.Stmt, ...], names: _Names) -> Hashable:
        return tuple(written for statement in statements if (written := self._statement(statement, names)) is not None)

    def _statement(self, statement: ir.Stmt, names: _Names) -> Hashable:
        match statement:
            case ir.Assign((name,), ir.Input(index), _, False) if name not in names.known:
                names.known[name] = self._input(index)
                return None
            case ir.Assign(targets, value, _, unpack):
                written = self.expression(value, names)
                return ("assign", tuple(map(names.assign, targets)), written, unpack)
            case ir.For(targets, iterable, body, _):
                over = self.expression(iterable, names)
                return ("for", tuple(map(names.assign, targets)), over, self.block(body, names))
            case ir.While(test, body, _):
                return ("while", self.expression(test, names), self.block(body, names))
            case ir.If(test, then, otherwise, _):
                return ("if", self.expression(test, names), self.block(then, names), self.block(otherwise, names))
            case ir.Jump(kind, _):
                return kind
            case ir.Return(value, _):
                return ("return", self.expression(value, names))
            case ir.Evaluate(value, _):
                return ("evaluate", self.expression(value, names))
            case ir.Store(receiver, index, value, _):
                return ("store", *(self.expression(part, names) for part in (receiver, index, value)))

    def _input(self, index: int) -> Hashable:
        parameter = self.program.parameters[index]
        number = self.numbers.get(index)
        if number is None:
            return ("constant", type(parameter.value).__name__, parameter.value)
        return ("input", number, type(parameter.value).__name__)

    def expression(self, node: ir.Expr, names: _Names) -> Hashable:
        """Write an expression; the names a comprehension binds are its own."""
        match node:
            case ir.Const(value):
                return ("constant", type(value).__name__, value)
            case ir.Input(index):
                return self._input(index)
            case ir.Name(name):
                return names.known.get(name, ("outer", self.top.known.get(name, name)))
            case ir.Comprehension(element, targets, iterable, conditions):
                inner = _Names(dict(names.known), names.count)
                over = self.expression(iterable, names)
                bound = tuple(map(inner.assign, targets))
                return (
                    "comprehension",
                    bound,
                    over,
                    self.expression(element, inner),
                    tuple(self.expression(condition, inner) for condition in conditions),
                )
        return (
            type(node).__name__,
            *(self._part(getattr(node, slot), names) for slot in type(node).__dataclass_fields__),
        )

    def _part(self, part: object, names: _Names) -> Hashable:
        """Write a field of a node: an operator or function name, an expression, or a tuple of either."""
        if isinstance(part, tuple):
            return tuple(self._part(item, names) for item in part)
        if isinstance(part, str):
            return part
        return self.expression(part, names)  # type: ignore[arg-type]  # what is left of a node's fields
