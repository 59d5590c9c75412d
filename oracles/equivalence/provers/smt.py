"""Comparison of two programs by z3 over the domain of their inputs: a proof, a counterexample or neither."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import z3

from harness.limited_process import limited_result
from harness.program.evaluation.values import COMPARISONS, Operand, Term, depth
from harness.program.refusal import UntranslatableError
from oracles.equivalence.input_domain import InputDomain
from oracles.equivalence.provers.symbolic_paths import NO_NUMBER, SymbolicPath

# Solver work, not seconds: a wall-clock limit would let a busy machine change verdicts. 3,000,000 units are about a second.
RESOURCE_LIMIT = 3_000_000
# The procedure for nonlinear reals may work for minutes on algebraic numbers without counting units or looking at
# a clock, so it runs in a child process that is killed after so many seconds of processor time.
LONGEST_SECONDS = 3.0
# The translation recurses; a limit of its own keeps verdicts from depending on the caller's stack.
DEEPEST = 100


@dataclass(frozen=True, slots=True)
class SmtResult:
    """`equal` is True for a proof, False with `point` (value by variable number) for a model, None where it gave up."""

    equal: bool | None
    point: dict[int, Fraction] | None = None
    reason: str | None = None


_GAVE_UP = SmtResult(None, reason="the solver gave up")


def compare_paths(
    left: ComparedProgram,
    right: ComparedProgram,
    domains: Mapping[int, InputDomain],
    agreeing: Collection[tuple[int, int]] = (),
) -> SmtResult:
    """Return whether z3 finds the two programs to differ anywhere on the domain, and where; a value on one side only is a difference.

    `agreeing` are places of paths of both sides whose values are known to be equal where both are defined: z3 is not asked about those.
    """
    _fresh_context()

    def result() -> SmtResult:
        try:
            return _question(_fresh_context(), left, right, domains, agreeing).result()
        except UntranslatableError as error:
            return SmtResult(None, reason=str(error))

    return limited_result(result, LONGEST_SECONDS) or _GAVE_UP


def script(left: ComparedProgram, right: ComparedProgram, domains: Mapping[int, InputDomain]) -> str:
    """Return the question whether two programs differ anywhere on the domain as SMT-LIB, `unsat` if they are equal.

    What the theory lacks is an `UntranslatableError`.
    """
    return str(_question(z3.Context(), left, right, domains).solver.to_smt2())


def _check_depth(sides: Sequence[ComparedProgram]) -> None:
    for path in (path for side in sides for path in side.paths):
        for operand in (path.value or 0, *path.divisors, *(condition for condition, _ in path.conditions)):
            if depth(operand) > DEEPEST:
                raise UntranslatableError(f"terms nested more than {DEEPEST} deep")


@dataclass(frozen=True, slots=True)
class ComparedProgram:
    """One program of a comparison.

    `values` give for each input index a variable number (an `int`) or a frozen value (a `Fraction`).
    """

    paths: Sequence[SymbolicPath]
    values: Mapping[int, int | Fraction]


@functools.cache
def _fresh_context() -> z3.Context:
    """Return a context that this process never uses: making one takes longer than most questions."""
    return z3.Context()


def _question(
    context: z3.Context,
    left: ComparedProgram,
    right: ComparedProgram,
    domains: Mapping[int, InputDomain],
    agreeing: Collection[tuple[int, int]] = (),
) -> _Question:
    """Return the question for inputs on which two programs differ, or give results that cannot be compared; errors as in `script`."""
    _check_depth((left, right))
    question = _Question(context, domains)
    sides = [_Translation(question, side).outcomes() for side in (left, right)]
    parted = [
        z3.And(first.guard, second.guard, first.value is None or second.value is None or first.value != second.value)
        for first, second in itertools.product(*sides)
        if not (first.value is second.value is None and first.comparable and second.comparable)
        and (first.value is None or second.value is None or (first.place, second.place) not in agreeing)
    ]
    question.solver.add(z3.Or(*parted, z3.BoolVal(val=False, ctx=context)))
    return question


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a program gives where its guard holds: a value, `None` where it gives none, by the path at a place."""

    place: int
    guard: Any
    value: Any
    comparable: bool = True


class _Question:
    """A question to the solver, in a context in which nothing was asked before."""

    def __init__(self, context: z3.Context, domains: Mapping[int, InputDomain]) -> None:
        self.context = context
        self.symbols = {
            number: (z3.Int if domain.integral else z3.Real)(f"x{number}", self.context)
            for number, domain in domains.items()
        }
        self.solver = z3.Solver(ctx=self.context)
        self.solver.set("rlimit", RESOURCE_LIMIT)
        for number, domain in domains.items():
            self.solver.add(*self._bounds(self.symbols[number], domain))

    def result(self) -> SmtResult:
        """Return whether the two programs differ, and where."""
        answer = self.solver.check()
        if answer == z3.unsat:
            return SmtResult(equal=True)
        return _GAVE_UP if answer == z3.unknown else self._model()

    def _model(self) -> SmtResult:
        model = self.solver.model()
        point: dict[int, Fraction] = {}
        for number, name in self.symbols.items():
            value = model.eval(name, model_completion=True)
            if z3.is_algebraic_value(value):
                return SmtResult(None, reason="the solver's model is irrational")
            point[number] = Fraction(value.as_fraction()) if z3.is_rational_value(value) else Fraction(value.as_long())
        return SmtResult(equal=False, point=point)

    def number(self, value: int | Fraction) -> Any:
        return (
            z3.IntVal(value.numerator, self.context)
            if value.denominator == 1
            else z3.Q(value.numerator, value.denominator, self.context)
        )

    def _bounds(self, symbol: Any, domain: InputDomain) -> list[Any]:
        bounds = []
        if domain.low is not None:
            bounds.append(symbol > self.number(domain.low) if domain.open_low else symbol >= self.number(domain.low))
        if domain.high is not None:
            bounds.append(symbol < self.number(domain.high) if domain.open_high else symbol <= self.number(domain.high))
        return bounds


class _Translation:
    """The terms of one side in the language of the solver."""

    def __init__(self, question: _Question, side: ComparedProgram) -> None:
        self.question = question
        self.side = side
        self.inputs = {
            index: question.symbols[value] if isinstance(value, int) else question.number(value)
            for index, value in side.values.items()
        }
        self.memo: dict[int, Any] = {}

    def outcomes(self) -> list[_Outcome]:
        """Return the guarded outcomes of the program; a path whose divisor vanishes gives no value."""
        found: list[_Outcome] = []
        true = z3.BoolVal(val=True, ctx=self.question.context)
        for place, path in enumerate(self.side.paths):
            conditions = z3.And(true, *(self._formula(condition, holds=holds) for condition, holds in path.conditions))
            defined = z3.And(true, *(_real(self.expression(divisor)) != 0 for divisor in path.divisors))
            value = None if path.value is None else _real(self.expression(path.value))
            found.append(_Outcome(place, z3.And(conditions, defined), value, path.error != NO_NUMBER))
            if path.divisors:
                found.append(_Outcome(place, z3.And(conditions, z3.Not(defined)), None))
        return found

    def _formula(self, condition: Term, *, holds: bool) -> Any:
        if condition.operator not in COMPARISONS:
            # A bare number as a condition: true where it is not zero.
            formula = _real(self.expression(condition)) != 0
        else:
            left, right = (self.expression(argument) for argument in condition.arguments)
            formula = COMPARISONS[condition.operator](left, right)
        return formula if holds else z3.Not(formula)

    def expression(self, operand: Operand) -> Any:
        if not isinstance(operand, Term):
            return self.question.number(operand)
        known = self.memo.get(id(operand))
        if known is None:
            known = self.memo[id(operand)] = self._translate(operand)
        return known

    def _translate(self, term: Term) -> Any:
        if term.operator == "input":
            return self.inputs[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
        arguments = [self.expression(argument) for argument in term.arguments]
        first = arguments[0]
        match term.operator:
            case "+":
                return first + arguments[1]
            case "-":
                return first - arguments[1]
            case "*":
                return first * arguments[1]
            case "/" | "//" | "%":
                quotient = _real(first) / _real(arguments[1])
                if term.operator == "/":
                    return quotient
                floor = z3.ToInt(quotient)
                return floor if term.operator == "//" else first - arguments[1] * floor
            case "**":
                exponent = int(term.arguments[1])  # type: ignore[arg-type]  # an exponent is a number
                product = functools.reduce(operator.mul, [first] * abs(exponent), self.question.number(1))
                return product if exponent >= 0 else 1 / _real(product)
            case "floor":
                return _floor(first)
            case "ceil":
                return -_floor(-first)
            case "trunc":
                return z3.If(first >= 0, _floor(first), -_floor(-first))
            case "abs":
                return z3.If(first >= 0, first, -first)
            case "min" | "max":
                better = operator.le if term.operator == "min" else operator.ge
                return functools.reduce(
                    lambda left, right: z3.If(better(left, right), left, right), map(_real, arguments)
                )
            case "round":
                return self._round(_real(first), int(term.arguments[1]))  # type: ignore[arg-type]  # the number of places is a number
        if term.operator in COMPARISONS:
            truth = COMPARISONS[term.operator](first, arguments[1])
            return z3.If(truth, self.question.number(1), self.question.number(0))
        raise UntranslatableError(f"{term.operator} has no translation")

    def _round(self, value: Any, places: int) -> Any:
        """Round half to even at the given decimal places."""
        scale = _real(self.question.number(Fraction(10) ** places))
        half = self.question.number(Fraction(1, 2))
        scaled = value * scale
        below = z3.ToInt(scaled)
        rest = scaled - z3.ToReal(below)
        up = z3.Or(rest > half, z3.And(rest == half, below % 2 == 1))
        return z3.ToReal(z3.If(up, below + 1, below)) / scale


def _real(expression: Any) -> Any:
    return z3.ToReal(expression) if z3.is_int(expression) else expression


def _floor(expression: Any) -> Any:
    return expression if z3.is_int(expression) else z3.ToInt(expression)
