"""The quantities of a program as functions of its inputs, told apart by their values at a few points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.expression_nodes import nodes
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import Trace
from harness.text.numbers import whole_as_int

POINTS = 6
"""Two different rational functions of a word problem agree at six random points with a probability below 10**-12."""
MOST_DRAWS = 24
FEWEST_POINTS = 3
_LARGEST = 10_007

Values = tuple[Exact, ...]
"""The value of a quantity at the program's own inputs, then at each of the points."""


@dataclass(frozen=True)
class ProgramFunctions:
    """The quantities of a straight-line program.

    `held` are the inputs that keep their own values at all points.
    """

    trace: Trace
    held: frozenset[str] = frozenset()

    @cached_property
    def _scopes(self) -> tuple[Mapping[str, Exact], ...]:
        """Return the values of all variables at the program's own inputs and at each point."""
        random = Random(f"points:{len(self.trace.entries)}")
        scopes = [self.trace.values]
        for _ in range(MOST_DRAWS):
            if len(scopes) > POINTS:
                break
            scope = self._drawn(random)
            if scope is not None:
                scopes.append(scope)
        return tuple(scopes)

    @property
    def decisive(self) -> bool:
        """Tell whether the program could be evaluated at enough points, and its answer depends on the inputs that they vary."""
        return len(self._scopes) > FEWEST_POINTS and len(set(self.answer)) > 1

    def _drawn(self, random: Random) -> Mapping[str, Exact] | None:
        scope: dict[str, Exact] = {}
        try:
            for entry in self.trace.entries:
                if entry.expression is not None:
                    scope[entry.variable] = evaluate_expression(entry.expression, scope)
                elif entry.variable in self.held:
                    scope[entry.variable] = entry.value
                elif entry.value.denominator == 1:
                    scope[entry.variable] = random.randint(2, _LARGEST)
                else:
                    scope[entry.variable] = Fraction(random.randint(1, _LARGEST - 1), _LARGEST)
        except (ProgramError, Refusal):
            return None
        return scope

    def constant(self, value: Exact) -> Values:
        """Return a number that is the same at all points."""
        return (value,) * len(self._scopes)

    def variable(self, name: str) -> Values:
        """Return the values of a variable."""
        return tuple(whole_as_int(scope[name]) for scope in self._scopes)

    @cached_property
    def variables(self) -> Mapping[Values, str]:
        """Return the first variable of each quantity."""
        named: dict[Values, str] = {}
        for entry in self.trace.entries:
            named.setdefault(self.variable(entry.variable), entry.variable)
        return named

    @cached_property
    def constants(self) -> frozenset[Exact]:
        """Return the numbers that stand in the steps as they are."""
        return frozenset(
            node.value
            for entry in self.trace.entries
            if entry.expression is not None
            for _, node in nodes(entry.expression)
            if isinstance(node, ir.Const)
            and isinstance(node.value, int | Fraction)
            and not isinstance(node.value, bool)
        )

    @cached_property
    def quantities(self) -> frozenset[Values]:
        """Return the variables and all that their expressions compute on the way."""
        return frozenset((*self.variables, *self._partial()))

    def _partial(self) -> Iterator[Values]:
        for entry in self.trace.entries:
            for _, node in nodes(entry.expression) if entry.expression is not None else ():
                if not isinstance(node, ir.Name | ir.Const) and node is not entry.expression:
                    try:
                        yield tuple(whole_as_int(evaluate_expression(node, scope)) for scope in self._scopes)
                    except (ProgramError, Refusal):
                        continue

    @property
    def answer(self) -> Values:
        """Return the values of the answer."""
        return self.variable(self.trace.result)
