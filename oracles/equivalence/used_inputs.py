"""The inputs and constants that a program uses: those from which a value or a condition can reach its answer."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

_RESULT = "<result>"
Source = str | ir.Input | Fraction
"""The name of a variable or function, an input, or a constant, which is a fraction; an index alone would equal a constant."""


def used_inputs(program: ir.Program) -> frozenset[int]:
    """Return the inputs, by index, that can reach the answer of a program.

    The order of the statements is not considered, so an input that is called used may be without effect. One that is not used has
    none.
    """
    return frozenset(source.index for source in _reaching(program) if isinstance(source, ir.Input))


def used_constants(program: ir.Program) -> frozenset[Fraction]:
    """Return the numbers in the text of a program, other than its inputs, that can reach its answer, in the same sense."""
    return frozenset(source for source in _reaching(program) if isinstance(source, Fraction))


def _reaching(program: ir.Program) -> set[Source]:
    flow = _Flow()
    for function in program.functions.values():
        flow.add(function.name, {f"{function.name}()"})
        for argument, default in zip(reversed(function.arguments), reversed(function.defaults), strict=False):
            flow.add(argument, set(_sources(default)))
        flow.block(function.body, frozenset(), f"{function.name}()")
    flow.block(program.body, frozenset(), _RESULT)
    flow.add(_RESULT, set(_sources(program.answer)))
    return flow.reaching(_RESULT)


@dataclass(slots=True)
class _Flow:
    """Which variables and inputs each variable can depend on."""

    into: dict[str, set[Source]] = field(default_factory=lambda: defaultdict(set))

    def add(self, target: str, sources: set[Source] | frozenset[Source]) -> None:
        self.into[target] |= sources

    def block(self, statements: tuple[ir.Stmt, ...], conditions: frozenset[Source], result: str) -> None:
        """Add the statements of a block that runs under conditions and may return the named result."""
        for statement in statements:
            self._statement(statement, conditions, result)

    def _statement(self, statement: ir.Stmt, conditions: frozenset[Source], result: str) -> None:
        match statement:
            case ir.If(test, then, otherwise, _):
                inner = conditions.union(_sources(test))
                self.block(then, inner, result)
                self.block(otherwise, inner, result)
            case ir.For() | ir.While():
                over = statement.iterable if isinstance(statement, ir.For) else statement.test
                # A jump in one round decides what later rounds do: all conditions of the body reach all of its statements.
                inner = conditions.union(_sources(over), _tests(statement.body))
                for target in statement.targets if isinstance(statement, ir.For) else ():
                    self.add(target, inner)
                self.block(statement.body, inner, result)
            case ir.Assign(targets, value, _, _):
                for target in targets:
                    self.add(target, conditions.union(_sources(value)))
                    if isinstance(value, ir.Name):
                        # Both may be one list, which is changed by either name.
                        self.add(value.name, {target})
            case ir.Return(value, _):
                self.add(result, conditions.union(_sources(value)))
            case ir.Store(receiver, index, value, _):
                for name in ir.names_of(receiver):
                    self.add(name, conditions.union(_sources((index, value))))
            case ir.Evaluate(value, _):
                # A method may change its receiver; what is printed may be the answer.
                for name in (*ir.names_of(value), _RESULT):
                    self.add(name, conditions.union(_sources(value)))

    def reaching(self, target: str) -> set[Source]:
        reached: set[Source] = set()
        pending: list[Source] = [target]
        while pending:
            source = pending.pop()
            if source not in reached:
                reached.add(source)
                pending.extend(self.into.get(source, ()) if isinstance(source, str) else ())
        return reached


def _tests(statements: tuple[ir.Stmt, ...]) -> Iterator[Source]:
    for statement in statements:
        if isinstance(statement, ir.If):
            yield from _sources(statement.test)
            yield from _tests((*statement.then, *statement.otherwise))
        elif isinstance(statement, ir.For | ir.While):
            yield from _tests(statement.body)


def _sources(node: Any) -> Iterator[Source]:
    """Yield the variables, functions, inputs and constants that a node reads."""
    match node:
        case tuple():
            for part in node:
                yield from _sources(part)
        case ir.Input():
            yield node
        case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
            yield Fraction(value)
        case ir.Name(name):
            yield name
        case _ if is_dataclass(node):
            if isinstance(node, ir.Call):
                yield node.function
            for part in fields(node):
                yield from _sources(getattr(node, part.name))
