"""The constraints of a problem: facts about its quantities, steps between them, and bounds from their kinds.

A problem is *solvable* if its constraints leave exactly one answer, *contradictory* if they leave none, and *underspecified* if
they leave several.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from pydantic import Field

from harness.domain import Exact
from harness.json_form import LONGEST_NAME, MOST_CONSTRAINTS, Name, Span
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.program.value_parser import ExactText, ExpressionText, LimitText

ConstraintName = Annotated[str, Field(max_length=LONGEST_NAME + 40)]
"""The name of a constraint: its kind, a colon, and its subject, such as `fact:boxes`."""
_Words = Annotated[str, Field(max_length=10_000)]


class ProblemClass(enum.IntEnum):
    """The class of a problem, as a problem validator should say it."""

    CONTRADICTORY = 0
    SOLVABLE = 1
    UNDERSPECIFIED = 2

    @property
    def word(self) -> str:
        """Return the class as it is written."""
        return self.name.lower()


class FactSource(enum.StrEnum):
    """The source of a fact: a number in the problem's text, or world knowledge."""

    TEXT = "text"
    WORLD_KNOWLEDGE = "world_knowledge"


class BoundKind(enum.StrEnum):
    """The condition that the kind of a quantity sets on its value."""

    WHOLE = "whole"
    NOT_NEGATIVE = "not_negative"
    AT_MOST = "at_most"


@dataclass(frozen=True, slots=True)
class Fact:
    """A variable has a value."""

    name: ConstraintName
    variable: Name
    """The variable that has the value."""
    value: ExactText
    """Its exact value, `7` or `7/2`."""
    source: FactSource
    """The source of the value: the text or world knowledge."""
    words: _Words
    """The words that say so."""
    span: Span | None = None
    """Where in the problem's text the number stands; null for world knowledge."""


@dataclass(frozen=True, slots=True)
class ConstraintStep:
    """A variable has the value of an expression over others."""

    name: ConstraintName
    variable: Name
    """The variable that is determined."""
    expression: ExpressionText
    """A Python expression over other variables."""
    words: _Words
    """The words of the solution that say so."""

    def gives(self, values: Mapping[str, Exact]) -> Exact:
        """Return the value of the step for values of the variables it reads; errors as in `ConstraintSystem.complete`."""
        return evaluate_expression(self.expression, values)


@dataclass(frozen=True, slots=True)
class Bound:
    """The condition that a variable's kind sets: whole, not negative, or at most a limit."""

    name: ConstraintName
    variable: Name
    """The variable that is bounded."""
    kind: BoundKind
    """The condition on its value."""
    words: _Words
    """The reason for the condition."""
    limit: LimitText = None
    """The greatest value: a variable, or a number such as `100` or `1/2`; null for the other kinds."""

    def __post_init__(self) -> None:
        """Check that a limit is given where one is meant."""
        if (self.kind is BoundKind.AT_MOST) is not (self.limit is not None):
            raise ValueError(f"a bound of the kind {self.kind} {'has no' if self.limit is None else 'takes no'} limit")


Constraint = Fact | ConstraintStep | Bound


@dataclass(frozen=True)
class ConstraintSystem:
    """The constraints of a problem, each with a name of its own, and the variable that is asked for.

    Steps read facts' variables and those of earlier steps. A variable that a step reads and no fact or step gives is
    free: the problem does not state its value.
    """

    facts: Annotated[tuple[Fact, ...], Field(max_length=MOST_CONSTRAINTS)]
    """The values that the problem states."""
    steps: Annotated[tuple[ConstraintStep, ...], Field(max_length=MOST_CONSTRAINTS)]
    """The quantities that are determined by others."""
    bounds: Annotated[tuple[Bound, ...], Field(max_length=2 * MOST_CONSTRAINTS)]
    """The conditions that the kinds of quantities set on their values."""
    answer: Name
    """The variable that is asked for."""

    @cached_property
    def constraints(self) -> Mapping[str, Constraint]:
        """Return all constraints by name: facts, steps, bounds."""
        every: list[Constraint] = [*self.facts, *self.steps, *self.bounds]
        return {constraint.name: constraint for constraint in every}

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """Return all variables: those of facts, free ones, then those of steps, each once."""
        given = [fact.variable for fact in self.facts]
        return tuple(dict.fromkeys([*given, *self.free, *(step.variable for step in self.steps)]))

    @cached_property
    def free(self) -> tuple[str, ...]:
        """Return the variables that steps read and that no fact or step gives, in order."""
        given = {*(fact.variable for fact in self.facts), *(step.variable for step in self.steps)}
        read = (name for step in self.steps for name in ir.names_in_order(step.expression))
        return tuple(dict.fromkeys(name for name in read if name not in given))

    def complete(self, free: Mapping[str, Exact] | None = None) -> dict[str, Exact]:
        """Return the value of every variable: the first fact about it, `free` values, then step by step.

        A step's variable takes the value of its step, even if a fact gives another value.

        Raises:
            KeyError: a free variable is given no value.
            Refusal: a value is no number or takes too much to compute.
            ProgramError: a step raises in Python, such as a division by zero.
        """
        stepped = {step.variable for step in self.steps}
        values: dict[str, Exact] = {}
        for fact in self.facts:
            if fact.variable not in stepped:
                values.setdefault(fact.variable, fact.value)
        for name in self.free:
            values[name] = (free or {})[name]
        for step in self.steps:
            values[step.variable] = step.gives(values)
        return values

    def violated(self, values: Mapping[str, Exact]) -> Constraint | None:
        """Return the first constraint that values, one for each variable, do not meet, by exact evaluation."""
        every: tuple[Constraint, ...] = (*self.facts, *self.steps, *self.bounds)
        return next((constraint for constraint in every if not allows(constraint, values)), None)


def allows(constraint: Constraint, values: Mapping[str, Exact]) -> bool:
    """Tell whether values, one for each variable, meet a constraint, by exact evaluation."""
    value = values[constraint.variable]
    match constraint:
        case Fact():
            return value == constraint.value
        case ConstraintStep():
            try:
                return constraint.gives(values) == value
            except (Refusal, ProgramError):
                return False
        case Bound(kind=BoundKind.WHOLE):
            return value.denominator == 1
        case Bound(kind=BoundKind.NOT_NEGATIVE):
            return value >= 0
    limit = values[constraint.limit] if isinstance(constraint.limit, str) else constraint.limit
    return limit is not None and value <= limit
