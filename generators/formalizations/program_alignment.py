"""The search for the one way to read the numbers of a solution as quantities of a program.

A quantity is a function of the program's inputs.
"""

import enum
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import NamedTuple

from generators.formalizations.solution_equations import LineEquation
from harness.domain import Exact
from harness.equations.quantities import FIELD, Quantity, constant, of_expression
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.trace import Trace
from harness.text.numbers import whole_as_int

MOST_READINGS = 20_000
"""The readings of single equations after which the search is given up."""
MOST_CHOICES = 600
"""The most readings of the operands of one equation."""
LONGEST_SHOWN = 80


class AlignmentFailure(enum.StrEnum):
    """Why a solution is not read as the steps of a program."""

    NO_EQUATION = "the solution states no equation"
    UNKNOWN_RESULT = "the result of an equation is not what its numbers give"
    OTHER_FUNCTION = "its equations do not compute what the program computes"
    AMBIGUOUS = "its numbers can be read as the program's quantities in several ways"
    TOO_MANY = "too many ways to read its numbers"
    UNDECIDED = "the program cannot be evaluated at other inputs"


class AlignmentError(Exception):
    """The solution is not read as the steps of the program."""

    def __init__(self, failure: AlignmentFailure, detail: str = "") -> None:
        super().__init__(f"{failure}: {detail}" if detail else str(failure))
        self.failure = failure


@dataclass(frozen=True)
class ProgramFunctions:
    """The quantities of a straight-line program; `held` are the inputs that keep their own values wherever the others change."""

    trace: Trace
    held: frozenset[str] = frozenset()

    @cached_property
    def scope(self) -> Mapping[str, Quantity]:
        """Return the quantities of the variables, as far as they are known."""
        random, scope = Random(f"points:{len(self.trace.entries)}"), dict[str, Quantity]()
        for entry in self.trace.entries:
            quantity: Quantity | None = constant(entry.value)
            if entry.expression is not None:
                quantity = of_expression(entry.expression, scope)
            elif entry.variable not in self.held:
                quantity = Quantity(whole_as_int(entry.value), random.randrange(2, FIELD))
            if quantity is not None:
                scope[entry.variable] = quantity
        return scope

    @cached_property
    def inputs(self) -> frozenset[str]:
        """Return the variables that are given."""
        return frozenset(entry.variable for entry in self.trace.entries if entry.expression is None)

    @property
    def decisive(self) -> bool:
        """Tell whether all variables are known, and the answer depends on the inputs that are not held."""
        return len(self.scope) == len(self.trace.entries) and self.answer != constant(self.answer.value)

    @cached_property
    def variables(self) -> Mapping[Quantity, str]:
        """Return the first variable of each quantity."""
        return {quantity: name for name, quantity in reversed([*self.scope.items()])}

    @cached_property
    def constants(self) -> frozenset[Exact]:
        """Return the numbers that stand in the steps as they are."""
        return ir.numbers_in(tuple(entry.expression for entry in self.trace.entries))

    @cached_property
    def quantities(self) -> frozenset[Quantity | None]:
        """Return the variables and all that their expressions compute on the way."""
        steps = (entry.expression for entry in self.trace.entries if entry.expression is not None)
        computed = (node for step in steps for _, node in nodes(step) if not isinstance(node, ir.Name | ir.Const))
        return frozenset([*self.variables, *(of_expression(node, self.scope) for node in computed)])

    @property
    def answer(self) -> Quantity:
        """Return the answer."""
        return self.scope[self.trace.result]


class AlignedQuantity(NamedTuple):
    """The meaning of an operand; `variable` is the program's, empty for the result of an earlier equation and a bare number."""

    quantity: Quantity
    variable: str = ""


@dataclass(frozen=True, slots=True)
class AlignedEquation:
    """An equation of the solution whose operands are quantities."""

    equation: LineEquation
    operands: tuple[AlignedQuantity, ...]
    result: Quantity

    @property
    def reading(self) -> tuple[Quantity, tuple[Quantity, ...]]:
        """Return the identity of a reading of the equation: its result, and its operands in any order."""
        return self.result, tuple(sorted(operand.quantity for operand in self.operands))


def align_equations(equations: Sequence[LineEquation], functions: ProgramFunctions) -> tuple[AlignedEquation, ...]:
    """Return the equations of a solution, read as quantities of a program so that one of them is its answer.

    Bare numbers and variables that the solution does not state are only used where nothing else is left. Of several readings the
    one wins that states the most different quantities of the program.
    Raises `AlignmentError` with the kind of failure; nothing is guessed.
    """
    if not equations:
        raise AlignmentError(AlignmentFailure.NO_EQUATION)
    if not functions.decisive:
        raise AlignmentError(AlignmentFailure.UNDECIDED)
    try:
        return _Search(equations, functions, unstated=False).only()
    except AlignmentError as error:
        if error.failure is AlignmentFailure.AMBIGUOUS:
            raise
        return _Search(equations, functions, unstated=True).only()


@dataclass(slots=True)
class _Search:
    """Depth-first search over the equations; `unstated` lets a number be a variable that no equation gives."""

    equations: Sequence[LineEquation]
    functions: ProgramFunctions
    unstated: bool
    looked_at: int = 0
    _variables: dict[Exact, list[AlignedQuantity]] = field(default_factory=dict)
    _computed: frozenset[Exact] = frozenset()

    def __post_init__(self) -> None:
        trace = self.functions.trace
        self._computed = frozenset(whole_as_int(entry.value) for entry in trace.entries if entry.expression is not None)
        for entry in trace.entries:
            if entry.variable not in trace.copies and (entry.expression is None or self.unstated):
                quantity = AlignedQuantity(self.functions.scope[entry.variable], entry.variable)
                self._variables.setdefault(whole_as_int(entry.value), []).append(quantity)

    def only(self) -> tuple[AlignedEquation, ...]:
        """Return the only reading, or the best."""
        readings: dict[tuple[object, ...], tuple[AlignedEquation, ...]] = {}
        for aligned in self._readings(()):
            readings.setdefault(tuple(equation.reading for equation in aligned), aligned)
        if not readings:
            raise AlignmentError(AlignmentFailure.OTHER_FUNCTION)
        ranked = sorted(readings.values(), key=self._rank)
        if len(ranked) > 1 and self._rank(ranked[0]) == self._rank(ranked[1]):
            pairs = zip(*ranked[:2], strict=True)
            differing = next(first.equation for first, second in pairs if first.reading != second.reading)
            raise AlignmentError(AlignmentFailure.AMBIGUOUS, differing.part[:LONGEST_SHOWN])
        return ranked[0]

    def _readings(self, before: tuple[AlignedEquation, ...]) -> Iterator[tuple[AlignedEquation, ...]]:
        if len(before) < len(self.equations):
            for aligned in self._choices(self.equations[len(before)], before):
                yield from self._readings((*before, aligned))
        elif any(aligned.result == self.functions.answer for aligned in before):
            yield before

    def _choices(self, equation: LineEquation, before: tuple[AlignedEquation, ...]) -> list[AlignedEquation]:
        """Return the readings of an equation: those whose result the program has, else all."""
        best: dict[object, AlignedEquation] = {}
        for aligned in self._equation_readings(equation, before):
            self.looked_at += 1
            if self.looked_at > MOST_READINGS:
                raise AlignmentError(AlignmentFailure.TOO_MANY, equation.part[:LONGEST_SHOWN])
            best.setdefault(aligned.reading, aligned)
        certain = [aligned for aligned in best.values() if aligned.result in self.functions.quantities]
        return certain or list(best.values())

    def _equation_readings(
        self, stated: LineEquation, before: tuple[AlignedEquation, ...]
    ) -> Iterator[AlignedEquation]:
        if stated.function is None:
            raise AlignmentError(AlignmentFailure.UNKNOWN_RESULT, stated.part[:LONGEST_SHOWN])

        def known(top: Exact, bottom: Exact) -> bool:
            value = whole_as_int(Fraction(top) / bottom)
            return value in self._variables or any(value == aligned.result.value for aligned in before)

        equation = stated.with_fractions(known)
        options = [self._quantities(value, before) for value in equation.values]
        if math.prod(map(len, options)) > MOST_CHOICES:
            raise AlignmentError(AlignmentFailure.TOO_MANY, stated.part[:LONGEST_SHOWN])
        for operands in itertools.product(*options):
            result = equation.quantity([operand.quantity for operand in operands])
            if result is not None:
                yield AlignedEquation(equation, operands, result)

    def _quantities(self, value: Exact, before: tuple[AlignedEquation, ...]) -> list[AlignedQuantity]:
        """Return the meanings of a number, each function once: results before the program's other variables."""
        options: dict[Quantity, AlignedQuantity] = {}
        for equation in reversed(before):
            if equation.result.value == value:
                options.setdefault(equation.result, AlignedQuantity(equation.result))
        stated = bool(options)
        for quantity in self._variables.get(value, ()):
            # A result is not passed over for a variable of the program that should be that result.
            if quantity.variable in self.functions.inputs or not stated:
                options.setdefault(quantity.quantity, quantity)
        bare = value not in self._computed and not options
        if bare or value in self.functions.constants:
            bare_number = constant(value)
            options.setdefault(bare_number, AlignedQuantity(bare_number))
        return list(options.values())

    def _rank(self, aligned: Sequence[AlignedEquation]) -> tuple[int, int]:
        """Return the penalty of a reading: variables that are not stated, results stated again."""
        read = {operand.variable for equation in aligned for operand in equation.operands if operand.variable}
        unstated = read - self.functions.inputs
        return len(unstated), len(aligned) - len({equation.result for equation in aligned})
