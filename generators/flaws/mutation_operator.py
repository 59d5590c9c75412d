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

    `was` and `now` name the changed node as a reader would (`*` and `/`, a variable, a number, an expression).
    `reasons` weigh how likely a person makes this error. `phrases` are explanations, each a sentence or two with any of `{was}`, `{now}`, `{right}`, `{wrong}` (the equations as they should be and as they
    are), `{right_value}`, `{wrong_value}`, `{said}` (an input that is misread), `{asked}` (what the question asks); they must read well for every
    mutant. A variable that `was` or `now` names is told in the words of the question, or by its line.
    `words` are pairs of words in the line that go with the change: (`add`, `subtract`).
    """

    variable: str
    was: str
    now: str
    phrases: tuple[str, ...]
    expression: ir.Expr | None = None
    reader: str | None = None
    rewired: str | None = None
    result: str | None = None
    omitted: bool = False
    reasons: tuple[Reason, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    error_type: ErrorType | None = None
    """Where one mutant of an operator has another type than its others."""
    places: int | None = None
    fractions: bool = False
    """Whether the error may give a fraction of a thing that comes whole: it is about what is divided by what."""

    @property
    def calculation(self) -> ir.Expr | None:
        """Return the expression with its rounding: what the certificate states of the step."""
        if self.expression is None or self.places is None:
            return self.expression
        return ir.Call("round", (self.expression, ir.Const(self.places)))


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
    """A registered operator; `mutants` returns its most plausible mutants of a solution, in a fixed order."""

    name: str
    error_type: ErrorType
    mutants: Callable[[FlawSource], list[Mutant]]
    examples: tuple[MutationExample, ...]


OPERATORS: Registry[MutationOperator] = Registry("generators.flaws.operators")


def mutation_operator(
    name: str, *, error_type: ErrorType, examples: tuple[MutationExample, ...]
) -> Callable[[Callable[[FlawSource], Iterable[Mutant]]], MutationOperator]:
    """Register a function that yields all mutants of a solution as an operator, which keeps the most plausible ones."""

    def register(enumerate_mutants: Callable[[FlawSource], Iterable[Mutant]]) -> MutationOperator:
        @wraps(enumerate_mutants)
        def mutants(source: FlawSource) -> list[Mutant]:
            return most_plausible(enumerate_mutants(source))

        return OPERATORS.add(MutationOperator(name, error_type, mutants, examples))

    return register


def most_plausible(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return at most forty mutants, the most plausible first, equally plausible ones in their order.

    Of mutants that make the same change the first one is kept.
    """
    distinct: dict[object, Mutant] = {}
    for mutant in mutants:
        change = (mutant.variable, mutant.expression, mutant.reader, mutant.rewired, mutant.result, mutant.omitted)
        distinct.setdefault(change, mutant)
    return sorted(distinct.values(), key=_implausibility)[:MOST_MUTANTS]


def weight_of(reasons: Iterable[Reason]) -> float:
    """Return the sum of the weights, rounded so that their order does not matter."""
    return round(sum(weight for _, weight in reasons), 6)


def _implausibility(mutant: Mutant) -> float:
    return -weight_of(mutant.reasons)
