"""Minimal unsatisfiable cores of contradictory systems: constraints that clash and of which none can be left out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from harness.constraint_system import Bound, BoundKind, ConstraintStep, ConstraintSystem, Fact, allows
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from oracles.proofs.certification_failure import SolverUndecided, UncertifiedReason, check_answer
from oracles.proofs.linearity import degree, is_tame
from oracles.proofs.smtlib_script import partial_script

_APART = (Fraction(1), Fraction(-1, 3))
_DISTANCES = tuple(Fraction(sign * 4**power, 64) for power in range(10) for sign in (1, -1))

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from harness.constraint_system import Constraint
    from harness.domain import Exact
    from oracles.proofs.solvers import Solver


def minimal_core(system: ConstraintSystem, solver: Solver) -> tuple[str, ...]:
    """Return the names of constraints that a solver finds to clash, none of which can be left out, in their order.

    Where values show what is broken, facts are preferred to bounds, few constraints to many.

    Raises:
        NotCertified: the constraints can be met.
        Undecided: the solver gave up.
        UntranslatableError: a step holds what the theory of reals lacks.
        SolverError: the solver cannot read a step.
    """
    broken = _first_broken(system)
    core = [name for name in system.constraints if broken is None or name in broken.names]
    doubtful = [name for name in core if broken is None or not broken.needs(name)]
    check_answer(_answer(system, core, solver), "unsat", UncertifiedReason.SATISFIABLE)
    # Bounds go first. A constraint that the whole needs is needed by each part.
    for name in sorted(doubtful, key=lambda name: not isinstance(system.constraints[name], Bound)):
        less = [other for other in core if other != name]
        if _answer(system, less, solver) == "unsat":
            core = less
    return tuple(core)


def _answer(system: ConstraintSystem, names: list[str], solver: Solver) -> str:
    """Return whether some constraints can be met, `sat` or `unsat`."""
    rest = restricted_system(system, names)
    # No other solver is asked this, and z3 decides squares of one variable.
    if not (is_tame(rest) or (len(rest.free) == 1 and degree(rest) <= 2)):
        message = f"constraints that are curved in what they leave open, {len(names)} of them"
        raise SolverUndecided(message)
    (answer,) = solver.decide(partial_script(system, names))
    if answer == "unknown":
        message = f"whether {len(names)} constraints can be met"
        raise SolverUndecided(message)
    return answer


def restricted_system(system: ConstraintSystem, names: Collection[str]) -> ConstraintSystem:
    """Return the constraints of some names."""
    return ConstraintSystem(
        tuple(fact for fact in system.facts if fact.name in names),
        tuple(step for step in system.steps if step.name in names),
        tuple(bound for bound in system.bounds if bound.name in names),
        system.answer,
    )


@dataclass(frozen=True)
class _Broken:
    """A fact or bound that the values of a system break, with the names of all constraints that give those values."""

    system: ConstraintSystem
    constraint: Fact | Bound
    values: Mapping[str, Exact]
    names: frozenset[str]

    @cached_property
    def steps(self) -> tuple[tuple[ConstraintStep, frozenset[str]], ...]:
        """Return the steps among the names, each with the variables it reads."""
        steps = (step for step in self.system.steps if step.name in self.names)
        return tuple((step, frozenset(ir.names_in_order(step.expression))) for step in steps)

    def needs(self, name: str) -> bool:
        """Tell whether a value of a constraint's variable meets all the others, so that it cannot be left out.

        False says nothing. Values are tried where a straight line through two points meets what is broken, then a quotient of
        two lines through three, then some far around; between two of those, a polynomial that changes its sign has a zero.
        """
        if name == self.constraint.name:
            return True
        variable = self.system.constraints[name].variable
        return any(self._on_a_line(variable, apart) for apart in _APART) or self._around(name, variable)

    def _on_a_line(self, variable: str, apart: Fraction) -> bool:
        start = self.values[variable]
        try:
            excess = self._excess(self.values)
            slope = (self._excess(self._at(variable, _plain(start + apart))) - excess) / apart
            if slope and self._meets(variable, start - excess / slope):
                return True
            other = (self._excess(self._at(variable, _plain(start + apart * 2))) - excess) / (apart * 2)
            # Thiele's continued fraction through the three points, at an excess of zero.
            bend = apart * (other * 2 - slope) / (other - slope)
            return self._meets(variable, start - excess / (slope - (excess + slope * apart) / bend))
        except (Refusal, ProgramError, ZeroDivisionError):
            return False

    def _around(self, name: str, variable: str) -> bool:
        start, signs = self.values[variable], set()
        unit = max(Fraction(1), abs(Fraction(start)))
        for distance in _DISTANCES:
            try:
                values = self._at(variable, _plain(start + unit * distance))
            except (Refusal, ProgramError):
                continue
            if _meets(self.constraint, values):
                return True
            signs.add(self._excess(values) > 0)
        rest = restricted_system(self.system, self.names - {name})
        return len(signs) > 1 and isinstance(self.constraint, Fact) and degree(rest, pieces=False) < math.inf

    def _meets(self, variable: str, value: Fraction) -> bool:
        return _meets(self.constraint, self._at(variable, _plain(value)))

    def _at(self, variable: str, value: Exact) -> dict[str, Exact]:
        """Return the values for another value of a variable that nothing gives any more."""
        values = {**self.values, variable: value}
        moved = {variable}
        for step, read in self.steps:
            if step.variable != variable and not moved.isdisjoint(read):
                values[step.variable] = step.gives(values)
                moved.add(step.variable)
        return values

    def _excess(self, values: Mapping[str, Exact]) -> Exact:
        """Return the excess of the broken constraint's variable over a value that would meet it."""
        value = values[self.constraint.variable]
        match self.constraint:
            case Fact(value=stated):
                return value - stated
            case Bound(kind=BoundKind.AT_MOST, limit=str() as limit):
                return value - values[limit]
            case Bound(kind=BoundKind.AT_MOST, limit=int() | Fraction() as limit):
                return value - limit
            case Bound(kind=BoundKind.WHOLE):
                return value - math.floor(self.values[self.constraint.variable]) - 1
        return value


def _first_broken(system: ConstraintSystem) -> _Broken | None:
    """Return the constraint that is broken at the values of the others, `None` where they do not give every value."""
    try:
        values = system.complete()
    except (KeyError, Refusal, ProgramError):
        return None
    given = _givers(system)
    stated: tuple[Fact | Bound, ...] = (*system.facts, *system.bounds)
    broken = [
        _Broken(system, constraint, values, _cone(constraint, given))
        for constraint in stated
        if not _meets(constraint, values)
    ]
    return min(broken, key=_least, default=None)


def _least(broken: _Broken) -> tuple[bool, int]:
    return isinstance(broken.constraint, Bound), len(broken.names)


def _meets(constraint: Fact | Bound, values: Mapping[str, Exact]) -> bool:
    if isinstance(constraint, Fact):
        return values[constraint.variable] == constraint.value
    return allows(constraint, values)


def _givers(system: ConstraintSystem) -> dict[str, Constraint]:
    """Return the constraint that gives each variable its value: its step, or the first fact about it."""
    given: dict[str, Constraint] = {}
    for fact in system.facts:
        given.setdefault(fact.variable, fact)
    given.update((step.variable, step) for step in system.steps)
    return given


def _cone(constraint: Fact | Bound, given: Mapping[str, Constraint]) -> frozenset[str]:
    """Return the names of a constraint and of all constraints that give its values."""
    cone = {constraint.name}
    waiting = [constraint.variable]
    if isinstance(constraint, Bound) and isinstance(constraint.limit, str):
        waiting.append(constraint.limit)
    while waiting:
        giver = given.get(waiting.pop())
        if giver is not None and giver.name not in cone:
            cone.add(giver.name)
            if isinstance(giver, ConstraintStep):
                waiting += ir.names_in_order(giver.expression)
    return frozenset(cone)


def _plain(value: Fraction) -> Exact:
    return value.numerator if value.denominator == 1 else value
