"""A canonical key for programs that differ only in variable names and in the order of their inputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from harness.program.ir import Program


def canonical_key(program: Program, numbers: Mapping[int, int]) -> Hashable:
    """Return a key that is equal only for programs that run alike, step by step, on aligned inputs.

    `numbers` give the aligned inputs common numbers; the others stand as their values. The variables of a scope are
    numbered in the order in which they are first mentioned. Statements at the very beginning that only name an input are
    left out, and the name read as the input. Inputs and constants keep their Python type: a float is no loop bound.
    """
    writer = _Writer(program, numbers)
    body = writer.scope(program.body, writer.top)
    answer = None if program.answer is None else writer.expression(program.answer, writer.top)
    functions = {name: writer.function(function) for name, function in program.functions.items()}
    return (body, answer, frozenset(functions.items()))


def _given_inputs(statements: Sequence[ir.Stmt]) -> dict[str, int]:
    """Return the inputs that the first statements of a scope name, where it gives these names no other value."""
    given: dict[str, int] = {}
    for statement in statements:
        match statement:
            case ir.Assign((name,), ir.Input(index), _, False) if name not in given:
                given[name] = index
            case _:
                break
    others = _assigned(statements[len(given) :])
    return {} if given.keys() & others.keys() else given


def _assigned(statements: Sequence[ir.Stmt]) -> dict[str, None]:
    """Return the variables that statements assign, in the order in which they are first mentioned, read or assigned."""
    assigned = {name for statement in statements for name, is_assigned in _mentions(statement) if is_assigned}
    return {name: None for statement in statements for name, _ in _mentions(statement) if name in assigned}


def _mentions(node: object) -> Iterator[tuple[str, bool]]:
    """Yield the variables that a node mentions, each with whether it is assigned; those of a comprehension are its own."""
    match node:
        case ir.Name(name):
            yield name, False
        case ir.Assign(targets, value):
            yield from _mentions(value)
            yield from ((name, True) for name in targets)
        case ir.For(targets, iterable, body):
            yield from _mentions(iterable)
            yield from ((name, True) for name in targets)
            yield from _mentions(body)
        case ir.Comprehension(_, targets):
            for part in _fields(node):
                yield from (mention for mention in _mentions(part) if mention[0] not in targets)
        case tuple():
            for part in node:
                yield from _mentions(part)
        case _ if hasattr(node, "__dataclass_fields__"):
            for part in _fields(node):
                yield from _mentions(part)


def _fields(node: object) -> list[object]:
    return [getattr(node, slot) for slot in getattr(type(node), "__dataclass_fields__", ()) if slot != "line"]


def _flags(node: object) -> tuple[object, ...]:
    """Return the fields of a node that are truth values or words."""
    return tuple(part for part in _fields(node) if isinstance(part, bool | str))


@dataclass(slots=True)
class _Names:
    """The names of one scope: what each stands for; unknown ones are read from the scope around it."""

    known: dict[str, Hashable] = field(default_factory=dict)
    count: int = 0

    def inner(self, targets: Sequence[str]) -> _Names:
        """Return the names within a comprehension."""
        numbers = {name: self.count + number for number, name in enumerate(dict.fromkeys(targets), start=1)}
        return _Names({**self.known, **numbers}, self.count + len(numbers))


@dataclass(slots=True)
class _Writer:
    program: Program
    numbers: Mapping[int, int]
    top: _Names = field(default_factory=_Names)

    def function(self, function: ir.Function) -> Hashable:
        names = _Names({name: number for number, name in enumerate(function.arguments, start=1)})
        defaults = tuple(self.expression(default, self.top) for default in function.defaults)
        return (len(function.arguments), defaults, self.scope(function.body, names))

    def scope(self, statements: tuple[ir.Stmt, ...], names: _Names) -> Hashable:
        """Write the statements of a scope; a variable that is assigned anywhere in it is one of the whole scope."""
        given = _given_inputs(statements)
        if given.keys() & names.known.keys():
            given = {}
        rest = statements[len(given) :]
        for name in _assigned(rest):
            names.known.setdefault(name, len(names.known) + 1)
        names.count = len(names.known)
        names.known.update({name: self.input(index) for name, index in given.items()})
        return self.block(rest, names)

    def block(self, statements: tuple[ir.Stmt, ...], names: _Names) -> Hashable:
        return tuple(self._statement(statement, names) for statement in statements)

    def _statement(self, statement: ir.Stmt, names: _Names) -> Hashable:
        match statement:
            case ir.Assign(targets, value):
                written = self.expression(value, names)
                return ("assign", tuple(names.known[target] for target in targets), written, _flags(statement))
            case ir.For(targets, iterable, body):
                over = self.expression(iterable, names)
                return ("for", tuple(names.known[target] for target in targets), over, self.block(body, names))
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
            case ir.Store(receiver, index, value):
                parts = (self.expression(part, names) for part in (receiver, index, value))
                return ("store", *parts, _flags(statement))

    def input(self, index: int) -> Hashable:
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
                return self.input(index)
            case ir.Name(name):
                return names.known[name] if name in names.known else ("outer", self.top.known.get(name, name))
            case ir.Comprehension(element, targets, iterable, conditions):
                inner = names.inner(targets)
                return (
                    "comprehension",
                    tuple(inner.known[target] for target in targets),
                    self.expression(iterable, names),
                    self.expression(element, inner),
                    tuple(self.expression(condition, inner) for condition in conditions),
                    _flags(node),
                )
            case ir.Call(name, arguments, keywords) if name in self.program.functions:
                places = self.program.functions[name].arguments
                return (
                    "call",
                    name,
                    tuple(self.expression(argument, names) for argument in arguments),
                    # The words are names of variables of the function.
                    tuple(
                        (places.index(word) if word in places else word, self.expression(argument, names))
                        for word, argument in keywords
                    ),
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
