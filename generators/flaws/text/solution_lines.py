"""The lines of a source solution: where they write out the expressions of their steps, and which equations they state of which variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason
from generators.flaws.step_nodes import value_of
from harness.domain import Exact
from harness.equations.equation import (
    Expression,
    LineReading,
    Negative,
    Number,
    Operation,
    ParenthesizedExpression,
)
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.expression_nodes import square_root_of
from harness.solution.solution_text import LineText, PlacedVariable, render_line
from harness.text.number_forms import numbers_at
from harness.text.numbers import mentions

Span = tuple[int, int]
"""Where a part of a line starts and ends."""
PlacedPart = tuple[int, int, str | PlacedVariable]
_ROOTS = ("√", "sqrt")


@dataclass(frozen=True, slots=True)
class WrittenExpression:
    """A step's expression as it is written out from `start` to `end` of a line.

    `dress` are the nodes of the expression that stand there as one number each, as written, with the words that belong
    to it; `joints` are the texts between the operands of each operator, spaces included.
    """

    start: int
    end: int
    annotation: bool
    dress: Mapping[ir.Expr, str]
    joints: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StepLine:
    """A line of a solution, its words, what it states, and where the expressions of its steps are written out.

    `parts` are its parts with where they start and end.
    """

    text: LineText
    words: str
    reading: LineReading
    written: Mapping[str, tuple[WrittenExpression, ...]]
    parts: tuple[PlacedPart, ...]

    def states(self, variable: str) -> bool:
        """Tell whether the line has a place for the value of a variable."""
        return variable in self.text.variables

    def places(self, variable: str) -> list[Span]:
        """Return the places of a variable's value."""
        return [
            (start, end)
            for start, end, part in self.parts
            if isinstance(part, PlacedVariable) and part.variable == variable
        ]

    def rewritten(self, edits: Mapping[Span, str]) -> LineText:
        """Return the line with other words in some places; places of variables elsewhere stay places."""
        parts: list[str | PlacedVariable] = []
        end = 0
        for (start, stop), words in sorted(edits.items()):
            parts += [*_parts_between(self.parts, end, start, self.words), words]
            end = stop
        parts += _parts_between(self.parts, end, len(self.words), self.words)
        return replace(self.text, parts=_joined(parts))


@dataclass(frozen=True, slots=True)
class WritingStyle:
    """How a solution writes: the variables that get a `$` where others have one, its multiplication sign, its words."""

    money: frozenset[str] = frozenset()
    times: str = "*"
    vocabulary: frozenset[str] = frozenset()


@dataclass(frozen=True)
class FlawSourceText:
    """The lines of a source, each with the variables its numbers belong to, in the order of the solution."""

    source: FlawSource
    lines: tuple[StepLine, ...] = field(repr=False)

    @cached_property
    def stated_on(self) -> Mapping[str, frozenset[int]]:
        """Return, for each variable, the lines its value stands on, from zero."""
        lines: dict[str, set[int]] = {}
        for number, line in enumerate(self.lines):
            for name in line.text.variables:
                lines.setdefault(name, set()).add(number)
        return {name: frozenset(numbers) for name, numbers in lines.items()}

    @cached_property
    def loose(self) -> tuple[frozenset[Exact], ...]:
        """Return, for each line, the values of its numbers that belong to no variable."""
        words = ([part for part in line.text.parts if isinstance(part, str)] for line in self.lines)
        return tuple(frozenset(mention.readings[0] for part in parts for mention in mentions(part)) for parts in words)

    @cached_property
    def style(self) -> WritingStyle:
        """Return how the solution writes: its multiplication sign outside annotations is `*`, `x` or `×`."""
        prose = " ".join(part for line in self.lines for part in line.text.parts if isinstance(part, str))
        counts = {sign: prose.count(f" {sign} ") for sign in ("*", "x", "×")}
        money = (name for name, unit in self.source.units.items() if unit.quantity is Quantity.MONEY)
        return WritingStyle(frozenset(money), max(counts, key=counts.__getitem__), self.source.text.vocabulary)


def read_source_text(source: FlawSource) -> FlawSourceText:
    """Read the lines of a source.

    Raises:
        UnfitError: the solution itself states a false equation.
    """
    steps: dict[int, dict[str, ir.Expr]] = {}
    for entry in source.steps:
        steps.setdefault(source.line_number(entry.variable), {})[entry.variable] = source.expression(entry.variable)
    lines = tuple(
        read_step_line(line, steps.get(number, {}), source.values)
        for number, line in enumerate(source.text.lines, start=1)
    )
    for line in lines:
        if line.reading.false:
            raise UnfitError(UnfitReason.FALSE, line.text.label)
    return FlawSourceText(source, lines)


def read_step_line(line: LineText, steps: Mapping[str, ir.Expr], values: Mapping[str, Exact]) -> StepLine:
    """Lay the expressions of a line's steps over its equations.

    Numbers that an equation shows to be an operand or the result of a step become places of that variable, whichever
    other variables have the same value.
    """
    words = render_line(line, values)
    reading = read_line(words)
    written: dict[str, dict[Span, WrittenExpression]] = {name: {} for name in steps}
    places: dict[Span, PlacedVariable] = {}
    for equation in reading.equations:
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            for variable, expression in steps.items():
                laying = _Laying(words, values)
                rooted = words.startswith(_ROOTS, side.start) and square_root_of(expression) is not None
                if (isinstance(side, Number) and not rooted) or not laying.covers(expression, side):
                    continue
                span = outer_span(side)
                laid = WrittenExpression(*span, equation.annotation, laying.dress, laying.joints)
                written[variable].setdefault(span, laid)
                places.update(laying.places)
                if isinstance(other, Number):
                    places.update(_place(words, variable, other, values))
    in_order = {name: tuple(spans[span] for span in sorted(spans)) for name, spans in written.items()}
    bound = _bound(line, places, words, values)
    return StepLine(bound, words, reading, in_order, _placed_parts(bound, values))


def outer_span(node: Expression) -> Span:
    """Return where an expression stands, the words that belong to its first and last number included."""
    match node:
        case Number():
            return node.outer_start, node.outer_end
        case Operation(left=left, right=right):
            return min(node.start, outer_span(left)[0]), max(node.end, outer_span(right)[1])
        case ParenthesizedExpression() | Negative():
            return node.start, max(node.end, outer_span(node.inner)[1]) if isinstance(node, Negative) else node.end


@dataclass(slots=True)
class _Laying:
    """An attempt to lay an expression over an expression in words."""

    words: str
    values: Mapping[str, Exact]
    dress: dict[ir.Expr, str] = field(default_factory=dict)
    joints: dict[str, str] = field(default_factory=dict)
    places: dict[Span, PlacedVariable] = field(default_factory=dict)

    def covers(self, expression: ir.Expr, node: Expression) -> bool:
        """Tell whether the words state the expression, operand by operand."""
        match node:
            case ParenthesizedExpression(inner=inner):
                return self.covers(expression, inner)
            case Negative(inner=inner) if isinstance(expression, ir.Unary):
                return expression.operator == "-" and self.covers(expression.operand, inner)
            case Negative():
                return False
            case Number():
                return self._covers_number(expression, node)
            case Operation():
                return (
                    isinstance(expression, ir.Binary)
                    and expression.operator == node.operator
                    and self._covers_operation(expression, node)
                )

    def _covers_operation(self, expression: ir.Binary, node: Operation) -> bool:
        before = dict(self.dress), dict(self.joints), dict(self.places)
        orders = [(expression.left, expression.right), (expression.right, expression.left)]
        for left, right in orders if node.operator in "+*" else orders[:1]:
            if self.covers(left, node.left) and self.covers(right, node.right):
                joint = self.words[outer_span(node.left)[1] : outer_span(node.right)[0]]
                self.joints.setdefault(node.operator, joint)
                return True
            self.dress, self.joints, self.places = dict(before[0]), dict(before[1]), dict(before[2])
        return False

    def _covers_number(self, expression: ir.Expr, node: Number) -> bool:
        if node.value is None or value_of(expression, self.values) != node.value:
            return False
        self.dress.setdefault(expression, self.words[node.outer_start : node.outer_end])
        if isinstance(expression, ir.Name):
            self.places.update(_place(self.words, expression.name, node, self.values))
        return True


def _place(words: str, variable: str, number: Number, values: Mapping[str, Exact]) -> dict[Span, PlacedVariable]:
    """Return the number as a place of a variable, if the variable's value can be written like it."""
    forms = {
        written.end: written.form
        for written in numbers_at(words, number.start, values[variable])
        if written.end <= number.end
    }
    end = max(forms, default=0)
    # The percent sign may stand outside the form, never other digits.
    fits = forms and not words[end : number.end].strip(" %")
    return {(number.start, end): PlacedVariable(variable, forms[end])} if fits else {}


def _bound(line: LineText, places: Mapping[Span, PlacedVariable], words: str, values: Mapping[str, Exact]) -> LineText:
    """Return the line with these places, and with its own where none of these is."""
    own = _placed_parts(line, values)
    parts: list[str | PlacedVariable] = []
    end = 0
    for start, stop in sorted(places):
        if start >= end:
            parts += [*_parts_between(own, end, start, words), places[start, stop]]
            end = stop
    joined = _joined([*parts, *_parts_between(own, end, len(words), words)])
    left = [part for part in joined if isinstance(part, str)]
    literals = tuple(literal for literal in line.literals if any(literal.text in part for part in left))
    return replace(line, parts=joined, literals=literals)


def _placed_parts(line: LineText, values: Mapping[str, Exact]) -> tuple[PlacedPart, ...]:
    parts: list[PlacedPart] = []
    at = 0
    for part in line.parts:
        length = len(part if isinstance(part, str) else part.form.write(values[part.variable]) or "")
        parts.append((at, at + length, part))
        at += length
    return tuple(parts)


def _parts_between(parts: Iterable[PlacedPart], start: int, stop: int, words: str) -> list[str | PlacedVariable]:
    """Return the text between two places of a line; a place of a variable that is cut through becomes words."""
    return [
        part if start <= first and last <= stop else words[max(first, start) : min(last, stop)]
        for first, last, part in parts
        if first < stop and last > start
    ]


def _joined(parts: Iterable[str | PlacedVariable]) -> tuple[str | PlacedVariable, ...]:
    joined: list[str | PlacedVariable] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined)
