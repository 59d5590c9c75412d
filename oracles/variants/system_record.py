"""The JSON form of a system of constraints: its fields, their checks, and reading it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field, model_validator

from harness.constraint_system import Bound, BoundKind, Constraint, ConstraintStep, ConstraintSystem, Fact, FactSource
from harness.program import ir
from harness.program.refusal import Refusal, RefusalReason
from oracles.certificates.record_fields import LONGEST_TEXT, Code, Name, StrictRecord, Value
from oracles.certificates.value_parser import LONGEST_NAME, is_variable, read_exact, read_expression

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact

MOST_CONSTRAINTS = 200
LONGEST_WORDS = 10_000

ConstraintName = Annotated[str, Field(max_length=LONGEST_NAME + 40)]
_Place = Annotated[int, Field(ge=0, le=LONGEST_TEXT)]
# JSON has no tuples, which strict validation would ask for.
Span = Annotated[tuple[_Place, _Place], Field(strict=False)]
_Words = Annotated[str, Field(max_length=LONGEST_WORDS)]


class _Fact(StrictRecord):
    name: ConstraintName
    variable: Name
    value: Value
    source: Annotated[FactSource, Field(strict=False)]
    words: _Words
    span: Span | None


class _Step(StrictRecord):
    name: ConstraintName
    variable: Name
    expression: Code
    words: _Words


class _Bound(StrictRecord):
    name: ConstraintName
    variable: Name
    kind: Annotated[BoundKind, Field(strict=False)]
    words: _Words
    limit: Value | None

    @model_validator(mode="after")
    def check_limit(self) -> Self:
        """Check that a limit is given where one is meant."""
        if (self.kind is BoundKind.AT_MOST) is not (self.limit is not None):
            message = f"a bound of the kind {self.kind} {'has no' if self.limit is None else 'takes no'} limit"
            raise ValueError(message)
        return self


class SystemRecord(StrictRecord):
    """The JSON form of a system."""

    facts: Annotated[list[_Fact], Field(max_length=MOST_CONSTRAINTS)]
    steps: Annotated[list[_Step], Field(max_length=MOST_CONSTRAINTS)]
    bounds: Annotated[list[_Bound], Field(max_length=2 * MOST_CONSTRAINTS)]
    answer: Name


def system_of_record(record: Any) -> ConstraintSystem:
    """Return the system of a JSON form.

    Raises:
        ValidationError: a field is missing, too large, or not what it should be.
        Refusal: a number or an expression cannot be read, the constraints are no system, or another text says the same.
    """
    read = SystemRecord.model_validate(record)
    system = ConstraintSystem(
        tuple(
            Fact(one.name, one.variable, read_exact(one.value), one.source, one.words, one.span) for one in read.facts
        ),
        tuple(ConstraintStep(one.name, one.variable, read_expression(one.expression), one.words) for one in read.steps),
        tuple(Bound(one.name, one.variable, one.kind, one.words, _limit(one.limit)) for one in read.bounds),
        read.answer,
    )
    problem = system_fault(system)
    if problem is not None:
        raise Refusal(RefusalReason.MALFORMED_RECORD, problem)
    if system.record() != record:
        raise Refusal(RefusalReason.MALFORMED_RECORD, "the system is not as this harness writes it")
    return system


def values_of_record(record: Mapping[str, str]) -> dict[str, Exact]:
    """Return values by variable; errors as in `read_exact`."""
    return {name: read_exact(value) for name, value in record.items()}


def system_fault(system: ConstraintSystem) -> str | None:
    """Return why constraints are no system, `None` where they are one.

    Each has a name of its own that tells its kind before a colon. A step reads facts, open variables and earlier steps, and is
    the only one of its variable. Bounds and answer are about variables of facts and steps.
    """
    every: tuple[Constraint, ...] = (*system.facts, *system.steps, *system.bounds)
    if len({one.name for one in every}) < len(every):
        return "two constraints have one name"
    nameless = next((one.name for one in every if not one.name.partition(":")[1]), None)
    if nameless is not None:
        return f"the name {nameless[:40]!r} tells no kind before a colon"
    later = {step.variable for step in system.steps}
    for step in system.steps:
        if step.variable not in later:
            return f"{step.variable[:40]!r} has two steps"
        unread = next((name for name in ir.names_in_order(step.expression) if name in later), None)
        if unread is not None:
            return f"{step.name[:40]!r} reads {unread[:40]!r}, which is not known before it"
        later.discard(step.variable)
    known = frozenset(system.variables)
    about = [
        (bound.name, name) for bound in system.bounds for name in (bound.variable, bound.limit) if isinstance(name, str)
    ]
    for who, name in (*about, ("the answer", system.answer)):
        if name not in known:
            return f"{who[:40]} is about {name[:40]!r}, which no fact or step knows"
    odd = next((name for name in system.variables if not is_variable(name)), None)
    return None if odd is None else f"{odd[:40]!r} is no name of a variable"


def _limit(text: str | None) -> str | Exact | None:
    if text is None or is_variable(text):
        return text
    return read_exact(text)
