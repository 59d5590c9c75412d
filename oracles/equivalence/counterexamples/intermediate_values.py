"""The intermediate values of programs: whether they stay whole and not negative where they are so in the problem."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator, Outcome
from harness.program.refusal import Refusal
from oracles.equivalence.counterexamples.counterexample_search import run_outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.domain import Exact
    from harness.program.ir import Expr, Program

MOST_STEPS = 3_000
_QUANTITIES = (ir.Input, ir.Binary, ir.Call, ir.Unary, ir.Conditional)


class ValueFit(enum.IntEnum):
    """How well the values of an evaluation fit the problem, the better the greater."""

    NONE = 0
    """There is no result: the program raises an exception, or its evaluation is refused."""
    NEGATIVE = 1
    """A value is negative that is not negative in the problem."""
    FRACTIONAL = 2
    """No such value is negative, but one is fractional that is whole in the problem."""
    WHOLE = 3
    """Every count of the problem is whole and not negative."""


@dataclass(frozen=True, slots=True)
class FittedOutcome:
    """The outcome of an evaluation (`None` where it was refused) and how well its values fit the problem."""

    outcome: Outcome | None
    fit: ValueFit


@dataclass(slots=True)
class _ValueSigns:
    whole: bool = True
    natural: bool = True
    zero: bool = True

    def add(self, value: Exact) -> None:
        self.whole = self.whole and value.denominator == 1
        self.natural = self.natural and value >= 0
        self.zero = self.zero and value == 0


class _Observer(Evaluator):
    """An evaluator that keeps of each expression whether all its values were whole, and not negative."""

    signs: dict[int, _ValueSigns]

    def _value(self, node: Expr, scope: dict[str, object]) -> object:
        value = super()._value(node, scope)
        if isinstance(node, _QUANTITIES) and isinstance(value, int | Fraction) and not isinstance(value, bool):
            signs = self.signs.get(id(node))
            if signs is None:
                signs = self.signs[id(node)] = _ValueSigns()
            signs.add(value)
        return value


class IntermediateValues:
    """A program with the signs and wholeness that its values have at its own inputs."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._own: dict[int, _ValueSigns] = {}
        self.own = self._observed([parameter.value for parameter in program.parameters], self._own)

    def fitted(self, inputs: Sequence[Exact]) -> FittedOutcome:
        """Evaluate the program, and compare the signs and the wholeness of its values with those of the problem.

        An expression that is not evaluated at the program's own inputs is not compared; zero does not say that a value is a count.
        """
        signs: dict[int, _ValueSigns] = {}
        outcome = self._observed(inputs, signs)
        if outcome is None or outcome.value is None:
            return FittedOutcome(outcome, ValueFit.NONE)
        fit = ValueFit.WHOLE
        for node, seen in signs.items():
            own = self._own.get(node)
            if own is not None and own.natural and not seen.natural:
                return FittedOutcome(outcome, ValueFit.NEGATIVE)
            if own is not None and own.whole and not own.zero and not seen.whole:
                fit = ValueFit.FRACTIONAL
        return FittedOutcome(outcome, fit)

    def _observed(self, inputs: Sequence[Exact], signs: dict[int, _ValueSigns]) -> Outcome | None:
        observer = _Observer(self.program, inputs, most_steps=MOST_STEPS)
        observer.signs = signs
        try:
            return run_outcome(observer)
        except Refusal:
            return None
