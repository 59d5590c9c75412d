"""The expressions of steps as lines write them out, and the variable that each number there belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from generators.flaws.solution.expression_value import value_of
from harness.domain import Exact
from harness.equations.equation import Expression, LineReading, Negative, Number, Operation, ParenthesizedExpression
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.expression_nodes import square_root_of
from harness.solution.solution_text import LineLiteral, LineText, PlacedVariable, render_line
from harness.text.number_forms import numbers_at

Span = tuple[int, int, str | PlacedVariable]
"""A part of a line, and where it starts and ends."""
_ROOTS = ("√", "sqrt")
COMMUTATIVE = frozenset({"+", "*"})


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

    `spans` are its parts with where they start and end.
    """

    text: LineText
    words: str
    reading: LineReading
    written: Mapping[str, tuple[WrittenExpression, ...]]
    spans: tuple[Span, ...]


def read_step_line(line: LineText, steps: Mapping[str, ir.Expr], values: Mapping[str, Exact]) -> StepLine:
    """Lay the expressions of a line's steps over its equations.

    Numbers that an equation shows to be an operand or the result of a step become places of that variable, whichever
    other variables have the same value.
    """
    words = render_line(line, values)
    reading = read_line(words)
    written: dict[str, dict[tuple[int, int], WrittenExpression]] = {name: {} for name in steps}
    places: dict[tuple[int, int], PlacedVariable] = {}
    for equation in reading.equations:
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            for variable, expression in steps.items():
                laying = _Laying(words, values)
                whole = isinstance(side, Number) and not (
                    words.startswith(_ROOTS, side.start) and square_root_of(expression) is not None
                )
                if whole or not laying.lay(expression, side):
                    continue
                span = outer_span(side)
                written[variable].setdefault(
                    span, WrittenExpression(*span, equation.annotation, laying.dress, laying.joints)
                )
                places.update(laying.places)
                if isinstance(other, Number):
                    places.update(_place(words, variable, other, values))
    in_order = {name: tuple(spans[span] for span in sorted(spans)) for name, spans in written.items()}
    bound = _bound(line, places, words, values)
    return StepLine(bound, words, reading, in_order, spans_of(bound, values))


def outer_span(node: Expression) -> tuple[int, int]:
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
    places: dict[tuple[int, int], PlacedVariable] = field(default_factory=dict)

    def lay(self, expression: ir.Expr, node: Expression) -> bool:
        """Tell whether the words state the expression, operand by operand."""
        match node:
            case ParenthesizedExpression(inner=inner):
                return self.lay(expression, inner)
            case Number():
                return self._number(expression, node)
            case Negative(inner=inner):
                return (
                    isinstance(expression, ir.Unary)
                    and expression.operator == "-"
                    and self.lay(expression.operand, inner)
                )
            case Operation():
                return self._operation(expression, node)

    def _operation(self, expression: ir.Expr, node: Operation) -> bool:
        if not isinstance(expression, ir.Binary):
            return False
        if expression.operator != node.operator:
            return self._hundredths(expression, node)
        before = dict(self.dress), dict(self.joints), dict(self.places)
        orders = [(expression.left, expression.right)]
        if node.operator in COMMUTATIVE:
            orders.append((expression.right, expression.left))
        for left, right in orders:
            if self.lay(left, node.left) and self.lay(right, node.right):
                joint = self.words[outer_span(node.left)[1] : outer_span(node.right)[0]]
                self.joints.setdefault(node.operator, joint)
                return True
            self.dress, self.joints, self.places = dict(before[0]), dict(before[1]), dict(before[2])
        return False

    def _hundredths(self, expression: ir.Binary, node: Operation) -> bool:
        """Tell whether the words write the share of a product as a fraction after its base: `80 x 10/100`."""
        product, divisor = node.left, node.right
        if (
            (expression.operator, node.operator) != ("*", "/")
            or not isinstance(product, Operation)
            or product.operator != "*"
            or not isinstance(product.right, Number)
            or not isinstance(divisor, Number)
            or product.right.value is None
            or not divisor.value
        ):
            return False
        share = Fraction(product.right.value) / divisor.value
        for base, part in ((expression.left, expression.right), (expression.right, expression.left)):
            if isinstance(part, ir.Name) and value_of(part, self.values) == share and self.lay(base, product.left):
                self.dress.setdefault(part, self.words[product.right.outer_start : divisor.outer_end])
                self.joints.setdefault("*", self.words[outer_span(product.left)[1] : product.right.outer_start])
                return True
        return False

    def _number(self, expression: ir.Expr, node: Number) -> bool:
        if node.value is None or value_of(expression, self.values) != node.value:
            return False
        self.dress.setdefault(expression, self.words[node.outer_start : node.outer_end])
        if isinstance(expression, ir.Name):
            self.places.update(_place(self.words, expression.name, node, self.values))
        return True


def _place(
    words: str, variable: str, number: Number, values: Mapping[str, Exact]
) -> dict[tuple[int, int], PlacedVariable]:
    """Return the number as a place of a variable, if the variable's value can be written like it."""
    forms = {
        written.end: written.form
        for written in numbers_at(words, number.start, values[variable])
        if written.end <= number.end
    }
    if not forms:
        return {}
    end = max(forms)
    # The percent sign may stand outside the form, never other digits.
    return {} if words[end : number.end].strip(" %") else {(number.start, end): PlacedVariable(variable, forms[end])}


def _bound(
    line: LineText, places: Mapping[tuple[int, int], PlacedVariable], words: str, values: Mapping[str, Exact]
) -> LineText:
    """Return the line with these places, and with its own where none of these is."""
    own = spans_of(line, values)
    parts: list[str | PlacedVariable] = []
    end = 0
    spans = sorted(places)
    for start, stop in spans:
        if start >= end:
            parts += [*parts_between(own, end, start, words), places[start, stop]]
            end = stop
    parts += parts_between(own, end, len(words), words)
    joined = _joined(parts)
    return replace(line, parts=joined, literals=_left(line.literals, joined))


def spans_of(line: LineText, values: Mapping[str, Exact]) -> tuple[Span, ...]:
    """Return the parts of a line with where they start and end."""
    spans: list[Span] = []
    at = 0
    for part in line.parts:
        length = len(part if isinstance(part, str) else part.form.write(values[part.variable]) or "")
        spans.append((at, at + length, part))
        at += length
    return tuple(spans)


def parts_between(parts: Iterable[Span], start: int, stop: int, words: str) -> list[str | PlacedVariable]:
    """Return the text between two places of a line; a place of a variable that is cut through becomes words."""
    between: list[str | PlacedVariable] = []
    for first, last, part in parts:
        if first >= stop or last <= start:
            continue
        whole = start <= first and last <= stop
        between.append(part if whole else words[max(first, start) : min(last, stop)])
    return between


def _joined(parts: Iterable[str | PlacedVariable]) -> tuple[str | PlacedVariable, ...]:
    joined: list[str | PlacedVariable] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined)


def _left(literals: tuple[LineLiteral, ...], parts: tuple[str | PlacedVariable, ...]) -> tuple[LineLiteral, ...]:
    """Return the literals that still stand in the words of a line."""
    words = [part for part in parts if isinstance(part, str)]
    return tuple(literal for literal in literals if any(literal.text in part for part in words))


def result_alone(line: StepLine, variable: str) -> dict[tuple[int, int], str] | None:
    """Return the edit that leaves of `6 + 4 = <<6+4=10>>10 eggs` the `10 eggs`, `None` where more stands in between."""
    written = line.written[variable]
    places = [start for start, _, part in line.spans if isinstance(part, PlacedVariable) and part.variable == variable]
    if not written or not places or places[-1] < written[-1].end:
        return None
    first, last = written[0].start, places[-1]
    between = line.words[first:last]
    for expression in reversed(written):
        if first <= expression.start and expression.end <= last:
            between = between[: expression.start - first] + between[expression.end - first :]
    if _BETWEEN.fullmatch(between) is None:
        return None
    return {(first, last): "$" if between.rstrip("<>=0123456789., ").endswith("$") or between.endswith("$") else ""}


_BETWEEN = re.compile(r"[\s=$<>\d.,]*")


def rewrite_line(line: StepLine, edits: Mapping[tuple[int, int], str]) -> LineText:
    """Return a line with other words from each start to each end; places of variables elsewhere stay places."""
    parts: list[str | PlacedVariable] = []
    end = 0
    for (start, stop), words in sorted(edits.items()):
        parts += [*parts_between(line.spans, end, start, line.words), words]
        end = stop
    parts += parts_between(line.spans, end, len(line.words), line.words)
    return replace(line.text, parts=_joined(parts))
