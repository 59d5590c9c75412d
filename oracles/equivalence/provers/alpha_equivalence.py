"""A canonical key for programs that differ only in variable names and in the order of their inputs."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from harness.program.ir import Program


def canonical_key(program: Program, numbers: Mapping[int, int]) -> Hashable:
    """Return a key that is equal only for programs that run alike, step by step, on aligned inputs.

    `numbers` give the aligned inputs common numbers; the others stand as their values. A variable is numbered where it is first
    mentioned, with one number in all scopes: programs of one key are those that one exchange of names makes the same. Names of
    functions, of what is called and of keywords stay. Statements at the very beginning that only name an input are left out, and
    the name read as the input. Inputs and constants keep their Python type: a float is no loop bound.
    """
    functions = [program.functions[name] for name in sorted(program.functions)]
    bound, called = list(_bound(functions)), set(_called((*functions, program.body, program.answer)))
    bound += _bound(program.body)
    given: dict[str, int] = {}
    for statement in program.body:
        match statement:
            case ir.Assign((name,), ir.Input(index), _, False) if bound.count(name) == 1 and name not in called:
                given[name] = index
            case _:
                break
    writer = _Writer(program, numbers, given, frozenset(bound) - called)
    return writer.key((tuple(functions), program.body[len(given) :], program.answer))


def _bound(node: Any) -> Iterator[str]:
    """Yield the variables that assignments, loops, comprehensions and the arguments of functions bind, each as often as they do."""
    for part in _nodes(node):
        if isinstance(part, ir.Assign | ir.For | ir.Comprehension):
            yield from part.targets
        elif isinstance(part, ir.Function):
            yield from part.arguments


def _called(node: Any) -> Iterator[str]:
    for part in _nodes(node):
        if isinstance(part, ir.Call):
            yield from (part.function, *(word for word, _ in part.keywords))
        elif isinstance(part, ir.Function):
            yield part.name


def _nodes(part: Any) -> Iterator[Any]:
    if isinstance(part, tuple | list):
        for item in part:
            yield from _nodes(item)
    elif is_dataclass(part):
        yield part
        for place in fields(part):
            yield from _nodes(getattr(part, place.name))


@dataclass(slots=True)
class _Writer:
    program: Program
    numbers: Mapping[int, int]
    given: Mapping[str, int]
    bound: frozenset[str]
    known: dict[str, int] = field(default_factory=dict)

    def key(self, node: Any) -> Hashable:
        match node:
            case ir.Input(index):
                return self.input(index)
            case ir.Const(value):
                return "constant", type(value).__name__, value
            case ir.Name(name):
                return self.input(self.given[name]) if name in self.given else ("name", self.name(name))
            case tuple():
                return tuple(map(self.key, node))
            case _ if is_dataclass(node) and not isinstance(node, type):
                return (type(node).__name__, *self._fields(node))
        return (type(node).__name__, node)

    def _fields(self, node: Any) -> Iterator[Hashable]:
        for place in fields(node):
            value = getattr(node, place.name)
            if place.name == "targets" or (isinstance(node, ir.Function) and place.name == "arguments"):
                yield tuple(map(self.name, value))
            elif place.name != "line":
                yield self.key(value)

    def name(self, name: str) -> Hashable:
        return self.known.setdefault(name, len(self.known)) if name in self.bound else name

    def input(self, index: int) -> Hashable:
        parameter = self.program.parameters[index]
        number = self.numbers.get(index, parameter.value)
        return "input" if index in self.numbers else "constant", type(parameter.value).__name__, number
