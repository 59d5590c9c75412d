"""The inputs and constants that a program uses: those from which a value or a condition can reach its answer."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from harness.program import ir

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
        flow.add([function.name], {f"{function.name}()"})
        for argument, default in zip(reversed(function.arguments), reversed(function.defaults), strict=False):
            flow.add([argument], _sources(default))
        flow.block(function.body, frozenset(), f"{function.name}()")
    flow.block(program.body, frozenset(), _RESULT)
    flow.add([_RESULT], _sources(program.answer))
    reached: set[Source] = set()
    pending: list[Source] = [_RESULT]
    while pending:
        source = pending.pop()
        if source not in reached:
            reached.add(source)
            pending.extend(flow.into.get(source, ()) if isinstance(source, str) else ())
    return reached


@dataclass(slots=True)
class _Flow:
    """What each variable can depend on."""

    into: dict[str, set[Source]] = field(default_factory=lambda: defaultdict(set))

    def add(self, targets: Iterable[str], sources: Iterable[Source]) -> None:
        known = set(sources)
        for target in targets:
            self.into[target] |= known

    def block(self, statements: tuple[ir.Stmt, ...], conditions: frozenset[Source], result: str) -> None:
        """Add the statements of a block that runs under conditions and may return the named result."""
        for statement in statements:
            sources = conditions.union(_sources(_own_parts(statement)))
            match statement:
                case ir.If():
                    self.block((*statement.then, *statement.otherwise), sources, result)
                case ir.For() | ir.While():
                    # A jump in one round decides what later rounds do: all conditions of the body reach all of its statements.
                    tests = tuple(node.test for node in ir.nodes_of(statement.body) if isinstance(node, ir.If))
                    inner = sources.union(_sources(tests))
                    self.add(statement.targets if isinstance(statement, ir.For) else (), inner)
                    self.block(statement.body, inner, result)
                case ir.Assign(targets, value):
                    self.add(targets, sources)
                    if isinstance(value, ir.Name):
                        # Both may be one list, which is changed by either name.
                        self.add([value.name], targets)
                case ir.Return():
                    self.add([result], sources)
                case ir.Evaluate(value):
                    # A method may change its receiver; what is printed may be the answer.
                    self.add((*ir.names_of(value), _RESULT), sources)


def _own_parts(statement: ir.Stmt) -> tuple[Any, ...]:
    """Return what a statement reads itself, without the statements in it."""
    own = {"value", "test", "iterable"}
    return tuple(getattr(statement, part.name) for part in fields(statement) if part.name in own)


def _sources(part: Any) -> Iterator[Source]:
    """Yield the variables, functions, inputs and constants that a node, or the nodes of a tuple, reads."""
    for node in ir.nodes_of(part):
        match node:
            case ir.Input():
                yield node
            case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
                yield Fraction(value)
            case ir.Name(name):
                yield name
            case ir.Call(function):
                yield function
