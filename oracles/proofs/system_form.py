"""The form of a system of constraints: whether it is one, and whether solvers end on it."""

from collections.abc import Collection
from typing import Any

from harness.constraint_system import Constraint, ConstraintSystem
from harness.json_form import json_form
from harness.program import ir
from harness.program.refusal import Refusal, RefusalReason
from harness.program.value_parser import is_variable

_PIECEWISE = frozenset({"abs", "fabs", "floor", "ceil", "trunc", "int", "round", "min", "max", "float"})


def require_system(system: ConstraintSystem, form: Any) -> None:
    """Check constraints that were read from a JSON form; those that are no system, or that another text says, too, are a `Refusal`."""
    problem = system_fault(system)
    if problem is not None:
        raise Refusal(RefusalReason.MALFORMED_RECORD, problem)
    if json_form(system) != form:
        raise Refusal(RefusalReason.MALFORMED_RECORD, "the system is not as this harness writes it")


def system_fault(system: ConstraintSystem) -> str | None:
    """Return why constraints are no system, `None` where they are one.

    Each has a name of its own that tells its kind before a colon. A step reads facts, open variables and earlier steps, and is
    the only one of its variable. Bounds and answer are about variables of facts and steps.
    """
    every: tuple[Constraint, ...] = (*system.facts, *system.steps, *system.bounds)
    if len(system.constraints) < len(every):
        return "two constraints have one name"
    nameless = next((name for name in system.constraints if ":" not in name), None)
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
    subjects = [(bound.name, name) for bound in system.bounds for name in (bound.variable, bound.limit)]
    for subject, name in (*subjects, ("the answer", system.answer)):
        if isinstance(name, str) and name not in system.variables:
            return f"{subject[:40]} is about {name[:40]!r}, which no fact or step knows"
    odd = next((name for name in system.variables if not is_variable(name)), None)
    return None if odd is None else f"{odd[:40]!r} is no name of a variable"


def restricted_system(system: ConstraintSystem, names: Collection[str]) -> ConstraintSystem:
    """Return the constraints of some names."""
    return ConstraintSystem(
        tuple(fact for fact in system.facts if fact.name in names),
        tuple(step for step in system.steps if step.name in names),
        tuple(bound for bound in system.bounds if bound.name in names),
        system.answer,
    )


def is_piecewise_linear(system: ConstraintSystem) -> bool:
    """Tell whether every step is linear or piecewise linear in the variables that nothing gives, so that every solver terminates.

    On nonlinear ones solvers may work for minutes without counting it as work, so that no limit of ours ends them.
    """
    opened = set(system.free)
    for step in system.steps:
        if not opened.isdisjoint(ir.names_in_order(step.expression)):
            if not _is_linear(step.expression, opened):
                return False
            opened.add(step.variable)
    return True


def _is_linear(node: ir.Expr, opened: set[str]) -> bool:
    """Tell whether an expression is linear or piecewise linear in the open variables."""
    operands: tuple[ir.Expr, ...]
    match node:
        case _ if opened.isdisjoint(ir.names_in_order(node)):
            return True
        case ir.Name():
            return True
        case ir.Unary("+" | "-", operand):
            return _is_linear(operand, opened)
        case ir.Binary("+" | "-", left, right):
            operands = (left, right)
        case ir.Binary("*", left, right):
            factors = [factor for factor in (left, right) if not opened.isdisjoint(ir.names_in_order(factor))]
            return len(factors) == 1 and _is_linear(factors[0], opened)
        case ir.Binary("/" | "//" | "%", left, right) | ir.Call("Fraction" | "Rational", (left, right), ()):
            return opened.isdisjoint(ir.names_in_order(right)) and _is_linear(left, opened)
        case ir.Comparison(_, operands):
            pass
        case ir.Conditional(test, then, otherwise):
            operands = (test, then, otherwise)
        case ir.Call(function, operands, ()) if function in _PIECEWISE:
            pass
        case _:
            return False
    return all(_is_linear(operand, opened) for operand in operands)
