"""What a solution states, line by line: the equations that compute a number, and the numbers that its prose brings in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from generators.formalizations.solution_equations import expression_with, with_fractions_joined
from harness.corpora.labelled_solutions import WorkedSolution
from harness.domain import Exact, Response
from harness.equations.equation import Expression, Number, StatedEquation, Truth, numbers, operations
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.lifter import read_candidate
from harness.program.refusal import ProgramError, Refusal
from harness.solution.expression_text import ExpressionWriter
from harness.solution.trace import assigned_lines, trace_program
from harness.text.markup import without_annotations
from harness.text.names import variable_words
from harness.text.number_forms import format_value
from harness.text.numbers import mentions, whole_as_int
from harness.text.sentences import sentences_of
from oracles.labels.audit.solution_lines import AuditedSolution, read_worked
from sft.samples.items import Item

MOST_EQUATIONS = 60
"""The equations of a solution that are read."""
MOST_OPERANDS = 8
MOST_NUMBERS = 40
"""The numbers of the prose of a line that are read."""


@dataclass(frozen=True)
class StatedStep:
    """An equation of a line, from zero: the side that computes, and the number that the line states as its result."""

    line: int
    text: str
    side: Expression
    stated: Exact
    equation: StatedEquation
    is_false: bool

    @cached_property
    def operands(self) -> Mapping[str, Exact]:
        """Return the values of the numbers of the side that computes, by the names that they have in `expression`."""
        return {f"number_{number.start}": whole_as_int(number.value or 0) for number in numbers(self.side)}

    @cached_property
    def expression(self) -> ir.Expr:
        """Return the side that computes as an expression of its operands."""
        return expression_with(self.side, map(ir.Name, self.operands))

    @property
    def written(self) -> str:
        """Return the equation as it stands in the line."""
        return self.text[self.equation.start : self.equation.end]


@dataclass(frozen=True)
class StatedSolution:
    """The steps of a solution in order, and the numbers of its prose by line."""

    item: Item
    audited: AuditedSolution

    @classmethod
    def of_item(cls, item: Item) -> StatedSolution:
        """Read an item."""
        return cls(item, read_worked(WorkedSolution(item.annotated, item.answer, item.before), item.question))

    @cached_property
    def steps(self) -> tuple[StatedStep, ...]:
        """Return the steps, each equation of a line once, in the order of the text."""
        steps: list[StatedStep] = []
        for place, statement in enumerate(self.audited.statements):
            seen: set[object] = set()
            chained = [each for each in read_line(_chained(statement.text)).equations if each.truth is Truth.TRUE]
            equations = (*statement.equations, *chained)
            for equation in sorted(equations, key=lambda each: (each.end, not each.annotation)):
                step = _step(place, statement.text, equation, is_false=equation in statement.false)
                if step is None:
                    continue
                key = step.stated, tuple(sorted(map(str, step.operands.values())))
                if key not in seen and len(steps) < MOST_EQUATIONS:
                    steps.append(step)
                seen.add(key)
        return tuple(steps)

    @cached_property
    def told(self) -> tuple[tuple[tuple[Exact, ...], ...], ...]:
        """Return, for each line, the readings of the numbers in its prose, outside of the equations that are read."""
        found = []
        for place, statement in enumerate(self.audited.statements):
            text = statement.text
            for step in self.steps:
                if step.line == place:
                    start, end = step.equation.start, step.equation.end
                    text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
            text = without_annotations(text)
            found.append(tuple(tuple(map(whole_as_int, mention.readings)) for mention in mentions(text)[:MOST_NUMBERS]))
        return tuple(found)


def _chained(text: str) -> str:
    """Return a line in which a name that the next sentence gives a value again is blank there: `Time = 28 - 5. Time = 23` is one chain."""
    name, end = "", 0
    for sentence in sentences_of(text):
        left, sign, _ = sentence.text.partition("=")
        if sign and left.strip() == name:
            value = sentence.start + len(left)
            text = f"{text[: end - 1]}{' ' * (value - end + 1)}{text[value:]}"
        name, end = left.strip() if sign else "", sentence.end
    return text


def _step(place: int, text: str, equation: StatedEquation, *, is_false: bool) -> StatedStep | None:
    """Return the step that an equation states, `None` where it computes nothing or is too long."""
    sides = (equation.left, equation.right), (equation.right, equation.left)
    left, right = next(((own, other) for own, other in sides if any(operations(own))), (None, None))
    if left is None or right is None or right.value is None or left.value is None:
        return None
    operands = list(numbers(left))
    if len(operands) > MOST_OPERANDS or any(number.value is None for number in operands):
        return None
    holds = equation.truth in {Truth.TRUE, Truth.ROUNDED, Truth.UNKNOWN} or not is_false
    return StatedStep(place, text, left, whole_as_int(right.value), equation, not holds)


def with_equations_of_program(item: Item) -> Item:
    """Return an item whose lines are a program with its equations in numbers in the place of its lines, and its value as the answer.

    A line that only names a number of the question states nothing.
    """
    if item.answer is not None or not any("=" in line for line in item.lines):
        return item
    candidate = read_candidate(Response("solution", "solution", "\n".join(item.lines)))
    if candidate.program is None or candidate.outcome is None or candidate.outcome.value is None:
        return item
    try:
        trace = trace_program(candidate.program)
    except (Refusal, ProgramError):
        return item
    lines = [""] * len(item.lines)
    asked = {reading for mention in mentions(item.question) for reading in mention.readings}
    given = {parameter.name: parameter.line for parameter in candidate.program.parameters}
    for name, place in {**given, **assigned_lines(candidate.program)}.items():
        entry = trace.by_name.get(name)
        if entry is not None and 0 < place <= len(lines) and not (entry.expression is None and entry.value in asked):
            value = format_value(entry.value)
            written = None if entry.expression is None else ExpressionWriter(trace.values).write(entry.expression)
            text = f"{written} = {value}" if written else value
            text = f"{variable_words(name)}: {value}" if entry.expression is None else text
            lines[place - 1] = f"{lines[place - 1]} {text}.".strip()
    read = tuple(lines)
    return replace(item, lines=read, annotated=read, answer=format_value(trace.answer.value), before=len(read))


def with_fractions(side: Expression, fractions: Collection[Exact], inputs: Collection[Exact]) -> Expression:
    """Return a side in which a quotient of two numbers that is one of the `fractions` is one number: 3/4 of `20 * 3/4`.

    A quotient of two `inputs` stays one.
    """

    def joined(top: Expression, bottom: Expression) -> Number | None:
        if not (isinstance(top, Number) and isinstance(bottom, Number) and top.value is not None and bottom.value):
            return None
        value = Fraction(top.value) / bottom.value
        if value not in fractions or {top.value, bottom.value} <= set(inputs):
            return None
        return replace(top, value=value, end=bottom.end, outer_end=bottom.outer_end)

    return with_fractions_joined(side, joined)


def adds(side: Expression) -> bool:
    """Tell whether a side has a sum or a difference."""
    return any(operation.operator in {"+", "-"} for operation in operations(side))
