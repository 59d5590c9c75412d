"""The lines of a solution: where they write out the expressions of their steps, and which equations they state of which variables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from harness.domain import Exact, Values
from harness.equations.equation import Expression, LineReading, Negative, Number, Operation, ParenthesizedExpression
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.evaluation.evaluator import value_of
from harness.solution.solution_text import LineText, PlacedVariable, render_line
from harness.text.number_forms import numbers_at
from harness.text.numbers import mentions

Span = tuple[int, int]
"""Where a part of a line starts and ends."""
LinePart = str | PlacedVariable


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

    `parts` are its parts with where they start and end, `loose` the values of its numbers that belong to no variable.
    """

    text: LineText
    words: str
    reading: LineReading
    written: Mapping[str, tuple[WrittenExpression, ...]]
    parts: tuple[tuple[Span, LinePart], ...]
    loose: frozenset[Exact]

    def places(self, variable: str) -> list[Span]:
        """Return the places of a variable's value."""
        return [span for span, part in self.parts if isinstance(part, PlacedVariable) and part.variable == variable]

    def rewritten(self, edits: Mapping[Span, str]) -> LineText:
        """Return the line with other words in some places; places of variables elsewhere stay places."""
        return replace(self.text, parts=_replaced_parts(self.parts, edits, self.words))


@dataclass(frozen=True, slots=True)
class WritingStyle:
    """How a solution writes: the variables that get a `$` where others have one, its multiplication sign, its words."""

    money: frozenset[str] = frozenset()
    times: str = "*"
    vocabulary: frozenset[str] = frozenset()


def read_step_line(line: LineText, steps: Mapping[str, ir.Expr], values: Values) -> StepLine:
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
                laid = None if isinstance(side, Number) else _node_terms(expression, side, values)
                if laid is None:
                    continue
                dress: dict[ir.Expr, str] = {}
                joints: dict[str, str] = {}
                for node, term in laid:
                    if isinstance(term, Operation):
                        joint = words[outer_span(term.left)[1] : outer_span(term.right)[0]]
                        joints.setdefault(term.operator, joint)
                    else:
                        dress.setdefault(node, words[slice(*outer_span(term))])
                    if isinstance(node, ir.Name):
                        places.update(_place(words, node.name, term, values))
                span = outer_span(side)
                written[variable].setdefault(span, WrittenExpression(*span, equation.annotation, dress, joints))
                if isinstance(other, Number):
                    places.update(_place(words, variable, other, values))
    bound = _replaced_parts(_placed_parts(line.parts, values), places, words)
    text = replace(line, parts=bound)
    literals = tuple(literal for literal in line.literals if any(literal.text in part for part in text.words))
    in_order = {name: tuple(spans[span] for span in sorted(spans)) for name, spans in written.items()}
    loose = frozenset(mention.readings[0] for part in text.words for mention in mentions(part))
    return StepLine(replace(text, literals=literals), words, reading, in_order, _placed_parts(bound, values), loose)


def outer_span(node: Expression) -> Span:
    """Return where an expression stands, the words that belong to its first and last number included."""
    match node:
        case Number():
            return node.outer_start, node.outer_end
        case Operation(left=left, right=right):
            return min(node.start, outer_span(left)[0]), max(node.end, outer_span(right)[1])
        case Negative(inner=inner):
            return node.start, max(node.end, outer_span(inner)[1])
        case ParenthesizedExpression():
            return node.start, node.end


def _node_terms(
    expression: ir.Expr, node: Expression, values: Values
) -> list[tuple[ir.Expr, Number | Operation]] | None:
    """Return the nodes of an expression with the terms that state them, operands first; `None` where they state another one."""
    match node:
        case ParenthesizedExpression(inner=inner):
            return _node_terms(expression, inner, values)
        case Number(value=value):
            return [(expression, node)] if value is not None and value_of(expression, values) == value else None
        case Operation() if isinstance(expression, ir.Binary) and expression.operator == node.operator:
            orders = [(expression.left, expression.right), (expression.right, expression.left)]
            for left, right in orders if node.operator in "+*" else orders[:1]:
                first = _node_terms(left, node.left, values)
                second = None if first is None else _node_terms(right, node.right, values)
                if first is not None and second is not None:
                    return [*first, *second, (expression, node)]
    return None


def _place(words: str, variable: str, number: Expression, values: Values) -> dict[Span, PlacedVariable]:
    """Return the number as a place of a variable, if the variable's value can be written like it."""
    written = [place for place in numbers_at(words, number.start, values[variable]) if place.end <= number.end]
    longest = max(written, key=lambda place: place.end, default=None)
    # The percent sign may stand outside the form, never other digits.
    if longest is None or words[longest.end : number.end].strip(" %"):
        return {}
    return {(number.start, longest.end): PlacedVariable(variable, longest.form)}


def _placed_parts(parts: Iterable[LinePart], values: Values) -> tuple[tuple[Span, LinePart], ...]:
    placed: list[tuple[Span, LinePart]] = []
    at = 0
    for part in parts:
        end = at + len(part if isinstance(part, str) else part.form.write(values[part.variable]) or "")
        placed.append(((at, end), part))
        at = end
    return tuple(placed)


def _replaced_parts(
    parts: Iterable[tuple[Span, LinePart]], new: Mapping[Span, LinePart], words: str
) -> tuple[LinePart, ...]:
    """Return the parts of a line with others in some places, words joined; a variable that is cut through becomes words."""
    joined: list[LinePart] = []
    end = 0
    for (start, stop), part in (*sorted(new.items(), key=lambda item: item[0]), ((len(words), len(words)), "")):
        if start < end:
            continue
        kept = (
            old if end <= first and last <= start else words[max(first, end) : min(last, start)]
            for (first, last), old in parts
            if first < start and last > end
        )
        for piece in (*kept, part):
            if isinstance(piece, str) and joined and isinstance(joined[-1], str):
                joined[-1] += piece
            elif piece != "":
                joined.append(piece)
        end = stop
    return tuple(joined)
