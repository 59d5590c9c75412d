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
    return _KeyWriter(_without_wrapper(program), numbers).key_of_program()


class _KeyWriter:
    """Writes the key of a program: its nodes, and digests in place of those that are numbers computed of inputs."""

    def __init__(self, program: Program, numbers: Mapping[int, int]) -> None:
        self.program, self.numbers = program, numbers
        self.functions = tuple(program.functions[name] for name in sorted(program.functions))
        self.bound: list[str] = []
        self.called: set[str] = set()
        for node in ir.nodes_of((self.functions, program.body, program.answer)):
            match node:
                case ir.Assign() | ir.For() | ir.Comprehension():
                    self.bound += node.targets
                case ir.Function():
                    self.bound += node.arguments
                    self.called.add(node.name)
                case ir.Call():
                    self.called |= {node.function, *(word for word, _ in node.keywords)}
        self.given: dict[str, bytes] = {}
        self.partial: set[bytes] = set()
        self.digests: dict[int, bytes | None] = {}
        self.known: dict[str, int] = {}

    def key_of_program(self) -> Hashable:
        """Return the key, of the operations that may fail as well."""
        body = list(self.program.body)
        while body and self._is_left_out(body[0]):
            del body[0]
        if not body and self.digest(self.program.answer) is not None:
            self._note_partial(self.program.answer)
        return self.key((self.functions, tuple(body), self.program.answer)), frozenset(self.partial)

    def _is_left_out(self, statement: ir.Stmt) -> bool:
        """Tell whether a statement only gives a name, once, to a number computed of inputs, and note the name and what of it may fail."""
        match statement:
            case ir.Assign((name,), value, _, False) if self.bound.count(name) == 1 and name not in self.called:
                own = self.digest(value)
                if own is not None:
                    self._note_partial(value)
                    self.given[name] = own
                return own is not None
        return False

    def digest(self, node: Any) -> bytes | None:
        """Return what stands for a number computed of inputs and of names already given, `None` for any other node."""
        if id(node) not in self.digests:
            self.digests[id(node)] = self._fresh_digest(node)
        return self.digests[id(node)]

    def _fresh_digest(self, node: Any) -> bytes | None:
        operands: tuple[Any, ...] = ()
        match node:
            case ir.Input(index):
                value = self.program.parameters[index].value
                kind = "input" if index in self.numbers else "constant"
                label = repr((kind, type(value).__name__, self.numbers.get(index, value)))
            case ir.Const(int() | Fraction() as value):
                label = repr(("constant", type(value).__name__, value))
            case ir.Name(name):
                return self.given.get(name)
            case ir.Binary(label, left, right):
                operands = left, right
            case ir.Unary("+" | "-" as label, operand):
                operands = (operand,)
            case ir.Call(label, operands, ()) if (
                label in _NUMERIC_FUNCTIONS and label not in self.program.functions and label not in self.bound
            ):
                pass
            case _:
                return None
        known = [part for part in map(self.digest, operands) if part is not None]
        if len(known) < len(operands):
            return None
        if label in "+*":
            known.sort()
        return sha256(b"\0".join([f"{label} {len(known)}".encode(), *known])).digest()

    def _note_partial(self, part: Any) -> None:
        for node in ir.nodes_of(part):
            if isinstance(node, ir.Call) or (isinstance(node, ir.Binary) and node.operator not in _TOTAL_OPERATORS):
                own = self.digest(node)
                self.partial.update([] if own is None else [own])

    def key(self, node: Any) -> Hashable:
        """Return the key of a node or of a tuple of them."""
        own = self.digest(node)
        if own is not None:
            return own
        match node:
            case ir.Const(value):
                return "constant", type(value).__name__, value  # text, a truth value or `None`
            case ir.Name(name):
                return "name", self._number(name)
            case tuple():
                return tuple(map(self.key, node))
            case _ if is_dataclass(node):
                return (type(node).__name__, *self._field_keys(node))
        return type(node).__name__, node

    def _field_keys(self, node: Any) -> Iterator[Hashable]:
        for place in fields(node):
            value = getattr(node, place.name)
            if place.name == "targets" or (isinstance(node, ir.Function) and place.name == "arguments"):
                yield tuple(map(self._number, value))
            elif place.name != "line":
                yield self.key(value)

    def _number(self, name: str) -> Hashable:
        is_variable = name in self.bound and name not in self.called
        return self.known.setdefault(name, len(self.known)) if is_variable else name


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
