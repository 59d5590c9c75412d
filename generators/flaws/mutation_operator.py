"""Mutants, each one change of a solution's program, and the registry of mutation operators."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps

from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.registry import Registry
from harness.solution.labels import ErrorType

MOST_MUTANTS = 40
Reason = tuple[str, float]
"""Why a person makes an error, and how likely that makes it: from -1.0 to 1.0, unlikely below zero."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a solution's program, in exactly one of five ways.

    * `expression`: the step `variable` has another expression (over inputs and earlier steps), whose value is rounded to
      `places` decimals where these are given.
    * `rewired`: the step `variable` and its line are deleted; its readers read the variable `rewired` instead.
    * `expression` with `reader`: the step `variable` and its line are deleted; `reader`, the one step that read it, has the
      expression, which does without it.
    * `result`: `variable` is the answer, another variable is reported as the answer; the lines stay.
    * `result` with `omitted`: the same, and the line of `variable`, the last one, is left out.

    `was` and `now` are the changed node before and after, or words for them. `cause` is the explanation in the place of the
    operator's. `reasons` weigh how likely a person makes this error. `words` are pairs of words in the line that go with
    the change: (`add`, `subtract`). `error_type` is the type of a mutant that has another type than its operator's others.
    `fractions` tells whether the error may give a fraction of a thing that comes whole: it is about what is divided by what.
    """

    variable: str
    was: ir.Expr | str
    now: ir.Expr | str
    expression: ir.Expr | None = None
    reader: str | None = None
    rewired: str | None = None
    result: str | None = None
    omitted: bool = False
    cause: str = ""
    reasons: tuple[Reason, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    error_type: ErrorType | None = None
    places: int | None = None
    fractions: bool = False

    @property
    def calculation(self) -> ir.Expr | None:
        """Return the expression with its rounding: what the certificate states of the step."""
        if self.expression is None or self.places is None:
            return self.expression
        return ir.Call("round", (self.expression, ir.Const(self.places)))

    @property
    def gone(self) -> bool:
        """Tell whether the step and its line are left out."""
        return self.rewired is not None or self.reader is not None or self.omitted


@dataclass(frozen=True, slots=True)
class MutationExample:
    """Code with `# L1` comments, inputs first on each line, and what an operator makes of it.

    `mutants` are all of them: (variable, what changed) with the new expression as Python, `-> name` for a rewired deletion,
    `left out: expression` for a deletion whose reader does without it, `answer = name` for another result and `answer = name, without L3` for an omitted last line.
    """

    code: str
    mutants: tuple[tuple[str, str], ...]
    question: str = ""


@dataclass(frozen=True, slots=True)
class MutationOperator:
    """A registered operator; `mutants` returns its most plausible mutants of a solution, in a fixed order.

    `explanation` says what is wrong, with any of the facts `{was}`, `{now}`, `{right}`, `{wrong}` (the calculations as they
    should be and as they are), `{right_value}`, `{wrong_value}` and `{asked}` (what the question asks).
    """

    name: str
    error_type: ErrorType
    explanation: str
    mutants: Callable[[FlawSource], list[Mutant]]
    examples: tuple[MutationExample, ...]


OPERATORS: Registry[MutationOperator] = Registry("generators.flaws.operators")


def mutation_operator(
    name: str, *, error_type: ErrorType, explanation: str, examples: tuple[MutationExample, ...]
) -> Callable[[Callable[[FlawSource], Iterable[Mutant]]], MutationOperator]:
    """Register a function that yields all mutants of a solution as an operator, which keeps the most plausible ones."""

    def register(enumerate_mutants: Callable[[FlawSource], Iterable[Mutant]]) -> MutationOperator:
        @wraps(enumerate_mutants)
        def mutants(source: FlawSource) -> list[Mutant]:
            return most_plausible(enumerate_mutants(source))

        return OPERATORS.add(MutationOperator(name, error_type, explanation, mutants, examples))

    return register


def most_plausible(mutants: Iterable[Mutant], most: int = MOST_MUTANTS) -> list[Mutant]:
    """Return at most so many mutants, the most plausible first, equally plausible ones in their order, each change once."""
    distinct: dict[object, Mutant] = {}
    for mutant in mutants:
        change = (mutant.variable, mutant.expression, mutant.reader, mutant.rewired, mutant.result, mutant.omitted)
        distinct.setdefault(change, mutant)
    return sorted(distinct.values(), key=lambda mutant: -weight_of(mutant.reasons))[:most]


def weight_of(reasons: Iterable[Reason]) -> float:
    """Return the sum of the weights, rounded so that their order does not matter."""
    return round(sum(weight for _, weight in reasons), 6)
