"""A canonical key for programs that do the same operations on the same inputs, whatever they name and in which order."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from harness.program import ir
from harness.program.ir import Program

_NUMERIC_FUNCTIONS = frozenset({"int", "float", "round", "abs", "ceil", "floor", "trunc", "sqrt"})
_TOTAL_OPERATORS = frozenset("+-*")


def canonical_key(program: Program, numbers: Mapping[int, int]) -> Hashable:
    """Return a key that is equal only for programs that run alike, operation by operation, on aligned inputs.

    They are equal in exact arithmetic and in Python's floats. `numbers` give the aligned inputs common numbers; the others stand
    as their values. A variable is numbered where it is first mentioned, with one number in all scopes: programs of one key are
    those that one exchange of names makes the same. Names of functions, of what is called and of keywords stay. Assignments at the
    very beginning that compute a number of inputs once are left out, and the name read as what it holds; that an operation of them
    may fail stays in the key. The operands of a sum or product of two numbers have no order. Inputs and constants keep their
    Python type: a float is no loop bound.
    """
    program = _without_wrapper(program)
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
    given: dict[str, bytes] = {}
    partial: set[bytes] = set()
    digests: dict[int, bytes | None] = {}

    def input_key(index: int) -> Hashable:
        value = program.parameters[index].value
        kind = "input" if index in numbers else "constant"
        return kind, type(value).__name__, numbers.get(index, value)

    def digest(node: Any) -> bytes | None:
        """Return what stands for a number computed of inputs and of names already given, `None` for any other node."""
        if id(node) not in digests:
            digests[id(node)] = fresh_digest(node)
        return digests[id(node)]

    def fresh_digest(node: Any) -> bytes | None:
        parts: list[bytes | None] = []
        match node:
            case ir.Input(index):
                label = repr(input_key(index))
            case ir.Const(int() | Fraction() as value):
                label = repr(("constant", type(value).__name__, value))
            case ir.Name(name):
                return given.get(name)
            case ir.Binary(label, left, right):
                parts = [digest(left), digest(right)]
            case ir.Unary("+" | "-" as label, operand):
                parts = [digest(operand)]
            case ir.Call(label, arguments, ()) if (
                label.removeprefix("math.") in _NUMERIC_FUNCTIONS
                and label not in program.functions
                and label not in bound
            ):
                parts = [*map(digest, arguments)]
            case _:
                return None
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if label in "+*":
            known.sort()
        return sha256(b"\0".join([f"{label} {len(known)}".encode(), *known])).digest()

    def note_partial(part: Any) -> None:
        for node in ir.nodes_of(part):
            if isinstance(node, ir.Call) or (isinstance(node, ir.Binary) and node.operator not in _TOTAL_OPERATORS):
                own = digest(node)
                partial.update([] if own is None else [own])

    length = 0
    for statement in program.body:
        match statement:
            case ir.Assign((name,), value, _, False) if bound.count(name) == 1 and name not in called:
                own = digest(value)
            case _:
                break
        if own is None:
            break
        note_partial(value)
        given[name] = own
        length += 1
    rest = program.body[length:]
    if not rest and digest(program.answer) is not None:
        note_partial(program.answer)
    known: dict[str, int] = {}

    def number(name: str) -> Hashable:
        return known.setdefault(name, len(known)) if name in bound and name not in called else name

    def key(node: Any) -> Hashable:
        own = digest(node)
        if own is not None:
            return own
        match node:
            case ir.Const(value):
                return "constant", type(value).__name__, value  # text, a truth value or `None`
            case ir.Name(name):
                return "name", number(name)
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

    return key((functions, rest, program.answer)), frozenset(partial)


def _without_wrapper(program: Program) -> Program:
    """Return a program that only calls its one function, on inputs, with the statements of that function as its own."""
    match program.body, program.answer, tuple(program.functions.values()):
        case (), ir.Call(name, (), ()), (ir.Function(own, arguments, defaults, (*body, ir.Return(value, _))),):
            jumps = any(
                isinstance(node, ir.Return) or (isinstance(node, ir.Call) and node.function == name)
                for node in ir.nodes_of((tuple(body), value))
            )
            if own == name and len(arguments) == len(defaults) and not jumps:
                given = (ir.Assign((name,), default, 0) for name, default in zip(arguments, defaults, strict=True))
                return replace(program, functions={}, body=(*given, *body), answer=value)
    return program
