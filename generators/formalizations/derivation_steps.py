"""Derivations in one unknown as the steps of a template: what each equation after the first collects, moves or divides out.

`3w - 6 + w = 54`, `4w - 6 = 54`, `4w = 60`, `w = 15` are the steps 3 + 1, 54 + 6 and 60 / 4. A derivation that does anything else,
such as to multiply both sides, gives no steps.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from generators.formalizations.operand_resolution import Operand, Scope, SolutionLine
from generators.formalizations.solution_equations import LineEquation
from generators.formalizations.template_writer import TemplateWriter, Variable, numbers_replaced
from harness.domain import Exact
from harness.equations.derivation import LinearEquation, linear_equations
from harness.equations.equation import Expression, Negative, Number, Operation
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.expression_nodes import filled
from harness.program.refusal import ProgramError, Refusal
from harness.program.syntax.unparser import unparse
from harness.text.numbers import whole_as_int

_ONE = ir.Const(1)
Coefficient = ir.Expr | None
"""A factor of the unknown or a number beside it, `None` for nothing."""


class DerivationError(Exception):
    """An equation that does not follow from the one before it by the rules."""


class _Side(NamedTuple):
    factor: Coefficient
    rest: Coefficient


@dataclass
class Derivation:
    """The equations of one unknown in the order of their lines, which end with its value, and their steps up to a line."""

    equations: Mapping[int, LinearEquation]
    scope: Scope
    writer: TemplateWriter
    variables: dict[str, Variable] = field(default_factory=dict)
    stated: dict[str, Operand] = field(default_factory=dict)
    sides: tuple[_Side, _Side] | None = None

    def write_line(self, number: int, text: str) -> Variable | None:
        """Write the step of a line, from one, and the inputs that it is the first to use; return its result, `None` where it has none.

        Raises:
            DerivationError: the equation does not follow from the last one by the rules, or by more than one step.
        """
        equation, line = self.equations[number], SolutionLine(text, number)
        if self.sides is None:
            stated = equation.equation
            self.sides = self._side(stated.left, equation, line), self._side(stated.right, equation, line)
            return None
        sides = self._next_sides(self.sides, equation)
        known = {None, _ONE, *map(ir.Name, (*self.variables, *self.stated))}
        new = [part for side in sides for part in side if _magnitude(part) not in known]
        if len(new) > 1:
            raise DerivationError(equation.written)
        if not new:
            self.sides = sides
            return None
        expression = _magnitude(new[0])
        assert expression is not None  # noqa: S101  # nothing is among the names
        for name in ir.names_in_order(expression):
            if name in self.stated and name not in self.variables:
                self.variables[name] = self.scope.resolve(self.stated[name])
        names = {name: ir.Name(variable.name) for name, variable in self.variables.items()}
        value = self._value(expression)
        if value <= 0:
            raise DerivationError(equation.written)
        kind = "" if equation.assigns else "_factor" if new[0] in {side.factor for side in sides} else "_number"
        output = self.writer.assign(f"{equation.letter.lower()}{kind}", value, unparse(filled(expression, names)))
        self.variables[output.name] = output
        left, right = (_Side(*(_with_part(part, expression, ir.Name(output.name)) for part in side)) for side in sides)
        self.sides = left, right
        wording = numbers_replaced(text, self._meanings(equation, text))
        if equation.assigns:
            self.scope.add_result(output, line)
        self.writer.end(number, output, wording)
        return output

    def _meanings(self, equation: LinearEquation, text: str) -> Callable[[int], list[Variable]]:
        """Return what a number can stand for: at a place of the equation, one of its parts, and elsewhere anything that has its value."""
        start, others = text.find(equation.written), self.scope.quantities()
        named = {name: Variable("", operand.value) for name, operand in self.stated.items()} | self.variables
        parts = (_magnitude(part) for side in self.sides or () for part in side)
        shown = [named[part.name] for part in parts if isinstance(part, ir.Name)]
        anything = [*named.values(), *others]
        end = start + len(equation.written)
        return lambda place: shown if start <= place < end else anything

    def _value(self, expression: Coefficient) -> Exact:
        values = {name: operand.value for name, operand in self.stated.items()}
        values |= {name: variable.value for name, variable in self.variables.items()}
        return 0 if expression is None else whole_as_int(Fraction(evaluate_expression(expression, values)))

    def _side(self, node: Expression, equation: LinearEquation, line: SolutionLine) -> _Side:
        """Return a side of the first equation, whose numbers get their meaning where a step uses them."""
        if equation.is_unknown(node):
            return _Side(_ONE, None)
        match node:
            case Number(value=value):
                text, name = equation.text[node.start : node.end], f"stated number {len(self.stated)}"
                self.stated[name] = Operand(value or 0, text, line)
                return _Side(None, ir.Name(name))
            case Operation(operator="+" | "-" as sign, left=first, right=second):
                left, right = self._side(first, equation, line), self._side(second, equation, line)
                return _Side(_sum(left.factor, sign, right.factor), _sum(left.rest, sign, right.rest))
            case Operation(operator=sign, left=first, right=second):
                left, right = self._side(first, equation, line), self._side(second, equation, line)
                if left.factor is None and right.factor is not None:
                    left, right = right, left
                return _Side(_multiple(left.factor, sign, right.rest), _multiple(left.rest, sign, right.rest))
            case Negative(inner=inner):
                side = self._side(inner, equation, line)
                return _Side(_sum(None, "-", side.factor), _sum(None, "-", side.rest))
        return self._side(node.inner, equation, line)

    def _next_sides(self, last: tuple[_Side, _Side], equation: LinearEquation) -> tuple[_Side, _Side]:
        """Return the sides of an equation that follows from the last one; it has to show each number of theirs, and no other one."""
        nodes = (equation.equation.left, equation.equation.right)
        shown = [sorted(abs(Fraction(number.value or 0)) for number in equation.numbers(node)) for node in nodes]
        for sides in _rearrangements(*last):
            for left, right in (sides, sides[::-1]):
                if [tuple(map(self._value, side)) for side in (left, right)] == [equation.left, equation.right]:
                    parts = ([part for part in side if part not in {None, _ONE}] for side in (left, right))
                    if shown == [sorted(abs(Fraction(self._value(part))) for part in side) for side in parts]:
                        return left, right
        raise DerivationError(equation.written)


def _magnitude(part: Coefficient) -> Coefficient:
    return part.operand if isinstance(part, ir.Unary) and part.operator == "-" else part


def _with_part(part: Coefficient, old: ir.Expr, new: ir.Name) -> Coefficient:
    if _magnitude(part) != old:
        return part
    return new if part == old else ir.Unary("-", new)


def _sum(left: Coefficient, sign: str, right: Coefficient) -> Coefficient:
    match right:
        case None:
            return left
        case ir.Unary("-", inner):
            return _sum(left, "-" if sign == "+" else "+", inner)
    if left is None:
        return right if sign == "+" else ir.Unary("-", right)
    if isinstance(left, ir.Unary) and left.operator == "-" and sign == "+":
        return ir.Binary("-", right, left.operand)
    return ir.Binary(sign, left, right)


def _multiple(part: Coefficient, sign: str, scale: Coefficient) -> Coefficient:
    if part is None or scale is None:
        return None
    if isinstance(part, ir.Unary) and part.operator == "-":
        return ir.Unary("-", _multiple(part.operand, sign, scale) or scale)
    return scale if (sign, part) == ("*", _ONE) else ir.Binary(sign, part, scale)


def _rearrangements(left: _Side, right: _Side) -> Iterator[tuple[_Side, _Side]]:
    """Yield the sides as they are, with terms moved to the other side, and solved."""
    yield left, right
    for near, far in ((left, right), (right, left)):
        factor, rest = _sum(near.factor, "-", far.factor), _sum(far.rest, "-", near.rest)
        yield _Side(near.factor, None), _Side(far.factor, rest)
        yield _Side(factor, near.rest), _Side(None, far.rest)
        yield _Side(factor, None), _Side(None, rest)
        if not isinstance(factor, ir.Unary):
            yield _Side(_ONE, None), _Side(None, rest if factor == _ONE else _multiple(rest, "/", factor))


def derivations(
    texts: Sequence[str], lines: Sequence[Sequence[LineEquation]], scope: Scope, writer: TemplateWriter
) -> Iterator[tuple[int, Derivation]]:
    """Yield each derivation of some lines and their equations that gives steps with the number of each of its lines, from one."""
    stated = list(linear_equations(texts))
    on_line = Counter(equation.place for equation in stated)
    # An equation such as `<<9=9>>` works nothing out.
    computing = [any(not isinstance(equation.left, Number) for equation in line) for line in lines]
    worked_out = {(own.letter, own.place) for own in stated if computing[own.place]}
    equations = (equation for equation in stated if (equation.letter, equation.place) not in worked_out)
    for letter, run in groupby(equations, key=lambda equation: equation.letter):
        chain = {equation.place + 1: equation for equation in run if not set("{}") & set(texts[equation.place])}
        if any(on_line[number - 1] > 1 for number in chain):
            continue
        # What a line in between works out is no step of the equation after it.
        if chain and any((letter, place) in worked_out for place in range(min(chain) - 1, max(chain))):
            continue
        solved = list(chain.values())
        if not solved or solved[0].assigns or len({equation.root for equation in solved}) > 1:
            continue
        trial = TemplateWriter()
        derivation = Derivation(chain, Scope(scope.question, trial), trial)
        try:
            written = [derivation.write_line(number, texts[number - 1]) for number in chain]
        except (DerivationError, ProgramError, Refusal):
            continue
        if any(written) and solved[-1].assigns:
            whole = Derivation(chain, scope, writer)
            yield from ((number, whole) for number in chain)
