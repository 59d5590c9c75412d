"""The check that constraints are a system, and the strict reading of a system's JSON form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.constraint_system import Constraint, ConstraintSystem
from harness.json_form import json_form, read_record
from harness.program import ir
from harness.program.refusal import Refusal, RefusalReason
from harness.program.value_parser import is_variable, read_exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact


def system_of_record(form: Any) -> ConstraintSystem:
    """Return the system of a JSON form.

    Raises:
        MalformedRecordError: a field is missing, too large, or of another type.
        Refusal: a number or an expression cannot be read, the constraints are no system, or another text says the same.
    """
    system = read_record(ConstraintSystem, form)
    problem = system_fault(system)
    if problem is not None:
        raise Refusal(RefusalReason.MALFORMED_RECORD, problem)
    if json_form(system) != form:
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
    if len({assertion.name for assertion in every}) < len(every):
        return "two constraints have one name"
    nameless = next((assertion.name for assertion in every if not assertion.name.partition(":")[1]), None)
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
