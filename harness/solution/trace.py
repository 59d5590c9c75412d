"""The evaluation trace of a formalization: the value, line and dependencies of each variable."""

import enum
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harness.domain import Exact, Provenance
from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator, evaluate_expression, exact_number
from harness.program.refusal import ProgramError, Refusal, RefusalReason
from harness.program.syntax.comments import python_lines
from harness.program.syntax.unparser import unparse

ANSWER = "answer"
RETURNED = "returned"
"""The names of a returned expression: the first, unless the program has a variable of that name."""
_LABEL = re.compile(r"^\s*#\s*(L[1-9]\d{0,3}|FA)\b")


class VariableRole(enum.StrEnum):
    """The role of a variable in the solution."""

    QUESTION_INPUT = "question_input"
    WORLD_KNOWLEDGE_INPUT = "world_knowledge_input"
    INPUT = "input"
    OUTPUT = "output"
    ANSWER = "answer"

    @property
    def is_input(self) -> bool:
        """Tell whether the variable is given, not computed."""
        return self in {VariableRole.QUESTION_INPUT, VariableRole.WORLD_KNOWLEDGE_INPUT, VariableRole.INPUT}


_INPUT_ROLES = {
    Provenance.QUESTION: VariableRole.QUESTION_INPUT,
    Provenance.WORLD_KNOWLEDGE: VariableRole.WORLD_KNOWLEDGE_INPUT,
    Provenance.UNKNOWN: VariableRole.INPUT,
}


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """A variable of a trace.

    `line` is the solution line its code stands under, `L2` or `FA`, `None` where the code names none. An input has no
    expression; its `comment` is what the author wrote about it. `reads` are the variables the expression uses, in order.
    """

    variable: str
    value: Exact
    role: VariableRole
    line: str | None
    expression: ir.Expr | None = None
    comment: str = ""
    reads: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """Return the expression as Python, an empty text for an input."""
        return "" if self.expression is None else unparse(self.expression)


@dataclass(frozen=True)
class Trace:
    """The variables of a formalization in the order of its code, with exact values; `result` names the answer."""

    entries: tuple[TraceEntry, ...]
    result: str

    @cached_property
    def by_name(self) -> Mapping[str, TraceEntry]:
        """Return the entries by variable."""
        return {entry.variable: entry for entry in self.entries}

    @cached_property
    def values(self) -> Mapping[str, Exact]:
        """Return the values by variable."""
        return {entry.variable: entry.value for entry in self.entries}

    @cached_property
    def copies(self) -> frozenset[str]:
        """Return the variables that only repeat another one, such as `answer = total`."""
        return frozenset(entry.variable for entry in self.entries if isinstance(entry.expression, ir.Name))

    @property
    def answer(self) -> TraceEntry:
        """Return the entry that gives the answer."""
        return self.by_name[self.result]

    def require(self, variable: str) -> TraceEntry:
        """Return the entry of a variable or raise a `KeyError` that lists the variables."""
        if variable not in self.by_name:
            raise KeyError(f"{variable!r}: the trace has no such variable; it has {', '.join(self.by_name)}")
        return self.by_name[variable]

    def on_line(self, line: str) -> list[TraceEntry]:
        """Return the variables of a line in order."""
        return [entry for entry in self.entries if entry.line == line]

    def lines(self) -> list[str]:
        """Return the labels of the lines that hold code, in order."""
        return list(dict.fromkeys(entry.line for entry in self.entries if entry.line is not None))

    def descendants(self, variable: str) -> list[str]:
        """Return the variables that depend on one, in the order of the trace; errors as in `propagate`."""
        reached = {self.require(variable).variable}
        for entry in self.entries:
            if not reached.isdisjoint(entry.reads):
                reached.add(entry.variable)
        return [entry.variable for entry in self.entries if entry.variable in reached and entry.variable != variable]

    def dead(self) -> list[str]:
        """Return the variables on which the answer does not depend, in order."""
        needed = {self.result}
        for entry in reversed(self.entries):
            if entry.variable in needed:
                needed.update(entry.reads)
        return [entry.variable for entry in self.entries if entry.variable not in needed]


def trace_program(program: ir.Program) -> Trace:
    """Evaluate a straight-line program and keep every value.

    Raises:
        Refusal: the program branches, loops, assigns a variable twice, or a value of it is no number.
        ProgramError: evaluation raises what Python would raise.
    """
    labels = _labels(program.code)
    evaluator = Evaluator(program, [parameter.value for parameter in program.parameters])
    entries: dict[str, TraceEntry] = {}
    scope: dict[str, Exact] = {}
    assignments, result = _assignments(program)
    for variable, expression, line in assignments:
        if variable in entries:
            raise Refusal(RefusalReason.NO_TRACE, f"{variable} is assigned twice", line)
        value = scope[variable] = exact_number(evaluator.value(expression, scope))
        label = _label(labels, line)
        if isinstance(expression, ir.Input):
            parameter = program.parameters[expression.index]
            role = _INPUT_ROLES[parameter.provenance]
            entries[variable] = TraceEntry(variable, value, role, label, comment=parameter.comment)
        else:
            reads = tuple(dict.fromkeys(name for name in ir.names_in_order(expression) if name in entries))
            entries[variable] = TraceEntry(variable, value, VariableRole.OUTPUT, label, expression, reads=reads)
    if result not in entries:
        raise ProgramError("NameError", result[:60])
    entries[result] = replace(entries[result], role=VariableRole.ANSWER)
    return Trace(tuple(entries.values()), result)


def assigned_lines(program: ir.Program) -> Mapping[str, int]:
    """Return the line of the code in which each variable of a straight-line program gets its value; a `Refusal` as in `trace_program`."""
    return {variable: line for variable, _, line in _assignments(program)[0]}


def propagate(trace: Trace, variable: str, value: Exact) -> Trace:
    """Return the trace in which a variable has another value and exactly its descendants are computed again.

    Raises:
        KeyError: the trace has no such variable.
        Refusal: a value that follows is no number or takes too much to compute.
        ProgramError: what follows raises in Python, such as a division by zero.
    """
    changed = {trace.require(variable).variable: value}
    values: dict[str, Exact] = {**trace.values, variable: value}
    for entry in trace.entries:
        if entry.expression is not None and not changed.keys().isdisjoint(entry.reads):
            changed[entry.variable] = values[entry.variable] = evaluate_expression(entry.expression, values)
    entries = (
        replace(entry, value=changed[entry.variable]) if entry.variable in changed else entry for entry in trace.entries
    )
    return Trace(tuple(entries), trace.result)


def _assignments(program: ir.Program) -> tuple[list[tuple[str, ir.Expr, int]], str]:
    """Return variable, expression and code line of each assignment, and the variable that holds the answer."""
    body, answer = _with_printed_answer(program)
    assignments = list(_straight(body))
    match answer:
        case ir.Name(name):
            return assignments, name
        case ir.Call(name, ()) if program.functions.keys() == {name}:
            function = program.functions[name]
            for argument, default in zip(function.arguments, function.defaults, strict=True):
                line = program.parameters[default.index].line if isinstance(default, ir.Input) else 0
                assignments.append((argument, default, line))
            if not function.body or not isinstance(function.body[-1], ir.Return):
                raise Refusal(RefusalReason.NO_TRACE, f"{name} does not end by returning the answer")
            assignments.extend(_straight(function.body[:-1]))
            value, line = function.body[-1].value, function.body[-1].line
            if isinstance(value, ir.Name):
                return assignments, value.name
            result = ANSWER if all(variable != ANSWER for variable, _, _ in assignments) else RETURNED
            return [*assignments, (result, value, line)], result
        case ir.Call():
            raise Refusal(RefusalReason.NO_TRACE, "the program has more than one function")
        case _:
            raise Refusal(RefusalReason.NO_TRACE, "the answer is printed, not held by a variable")


def _with_printed_answer(program: ir.Program) -> tuple[Sequence[ir.Stmt], ir.Expr | None]:
    """Return the statements and the answer of a program; of one that ends by printing its only result, that result."""
    match program.answer, program.body:
        case None, (
            *body,
            ir.Assign((name,), ir.Call(_, ()) as call),
            ir.Evaluate(ir.Call("print", (ir.Name(shown),))),
        ):
            return (body, call) if name == shown else (program.body, None)
        case None, (*body, ir.Evaluate(ir.Call("print", (ir.Name() | ir.Call(_, ()) as shown,)))):
            return body, shown
    return program.body, program.answer


def _straight(statements: Iterable[ir.Stmt]) -> Iterator[tuple[str, ir.Expr, int]]:
    for statement in statements:
        match statement:
            case ir.Assign((variable,), expression, line, False):
                yield variable, expression, line
            case _:
                detail = f"{type(statement).__name__} statements have no single value"
                raise Refusal(RefusalReason.NO_TRACE, detail, statement.line)


def _labels(code: str) -> list[tuple[int, str]]:
    """Return the lines of the code that name a line of the solution, with its label."""
    numbered = enumerate(python_lines(code), start=1) if "#" in code else ()
    return [(number, match[1]) for number, line in numbered if (match := _LABEL.match(line)) is not None]


def _label(labels: list[tuple[int, str]], line: int) -> str | None:
    above = [label for number, label in labels if number <= line]
    return above[-1] if above else None
