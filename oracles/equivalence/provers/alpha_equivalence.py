"""A canonical key for programs that differ only in variable names and in the order of their inputs."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
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
    functions = tuple(program.functions[name] for name in sorted(program.functions))
    bound: list[str] = []
    called: set[str] = set()
    for node in ir.nodes_of((functions, program.body, program.answer)):
        match node:
            case ir.Assign() | ir.For() | ir.Comprehension():
                bound += node.targets
            case ir.Function():
                bound += node.arguments
                called.add(node.name)
            case ir.Call():
                called |= {node.function, *(word for word, _ in node.keywords)}
    given: dict[str, int] = {}
    for statement in program.body:
        match statement:
            case ir.Assign((name,), ir.Input(index), _, False) if bound.count(name) == 1 and name not in called:
                given[name] = index
            case _:
                break
    known: dict[str, int] = {}

    def number(name: str) -> Hashable:
        return known.setdefault(name, len(known)) if name in bound and name not in called else name

    def input_key(index: int) -> Hashable:
        value = program.parameters[index].value
        kind = "input" if index in numbers else "constant"
        return kind, type(value).__name__, numbers.get(index, value)

    def key(node: Any) -> Hashable:
        match node:
            case ir.Input(index):
                return input_key(index)
            case ir.Const(value):
                return "constant", type(value).__name__, value
            case ir.Name(name):
                return input_key(given[name]) if name in given else ("name", number(name))
            case tuple():
                return tuple(map(key, node))
            case _ if is_dataclass(node):
                return (type(node).__name__, *field_keys(node))
        return type(node).__name__, node

    def field_keys(node: Any) -> Iterator[Hashable]:
        for place in fields(node):
            value = getattr(node, place.name)
            if place.name == "targets" or (isinstance(node, ir.Function) and place.name == "arguments"):
                yield tuple(map(number, value))
            elif place.name != "line":
                yield key(value)

    return key((functions, program.body[len(given) :], program.answer))
