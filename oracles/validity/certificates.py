"""Of which class is a problem, by its constraints, and what proves it?"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.constraints import Bound, Fact, ProblemClass, Step, System
from harness.domain import Status
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from oracles.smt import UntranslatableError
from oracles.solvers import SolverError
from oracles.validity.script import ambiguity, contradiction, entailment, expected, parts, uniqueness

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from harness.constraints import Constraint
    from harness.domain import Exact
    from oracles.solvers import Solver


class Uncertified(enum.StrEnum):
    """Why a system has no certificate of a class."""

    SATISFIABLE = "the constraints can be met"
    UNTOUCHED = "the edit takes no part in the contradiction"
    BROKEN_BEFORE = "the constraints are not met without the edit"
    NO_SOLUTION = "the values break a constraint"
    SEVERAL_ANSWERS = "the constraints leave several answers"
    SAME_ANSWER = "no two solutions differ in the answer"
    NOT_ENTAILED = "the fact does not follow from the others"
    UNKNOWN_NAME = "no constraint has the name"
    UNTRANSLATABLE = "a step has no translation for solvers"


class NotCertified(Exception):
    """A system is not of the class; `why` says what is wrong, the text with which constraint or value."""

    def __init__(self, why: Uncertified, detail: str = "") -> None:
        """Keep the reason apart from its detail, for who counts reasons."""
        self.why = why
        self.detail = detail
        super().__init__(f"{why}: {detail}" if detail else str(why))


class Undecided(Exception):
    """The solver gave up, or could not read what it was asked: nothing is known of the system."""


@dataclass(frozen=True)
class ValidityCertificate:
    """That a system is of a class.

    `smtlib` is a file to which any solver answers `expect`. `core` names constraints of a contradictory system that clash by
    themselves, and none of which can be left out. `models` are solutions: one of a solvable system, two that differ in
    the answer of an underspecified one.
    """

    problem_class: ProblemClass
    system: System
    smtlib: str
    expect: str
    core: tuple[str, ...] = ()
    models: tuple[Mapping[str, Exact], ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the JSON form of what a solver is given and should answer."""
        return {"smtlib": self.smtlib, "expect": self.expect}


def certify(
    problem_class: ProblemClass,
    system: System,
    *,
    clash: Sequence[str] = (),
    witnesses: Sequence[Mapping[str, Exact]] = (),
    redundant: str | None = None,
    original: Mapping[str, Exact] | None = None,
    solver: Solver,
) -> ValidityCertificate:
    """Prove that a system is of a class.

    Args:
        problem_class: the class to prove.
        system: the constraints of the problem.
        clash: names of the constraints that an edit set against the others. The core holds one of them, and without
            them the others can be met.
        witnesses: values of the free variables. Those of an underspecified problem begin with the problem's own.
        redundant: name of a fact that the others entail at the values of `original`.
        original: the values of the variables before the edit, those that meet what is left without the clash.
        solver: who decides.

    Raises:
        NotCertified: the system is not of the class.
        Undecided: the solver gave up.
    """
    try:
        if redundant is not None:
            _check_redundant(system, redundant, original, solver)
        match problem_class:
            case ProblemClass.CONTRADICTORY:
                return _contradictory(system, clash, original, solver)
            case ProblemClass.SOLVABLE:
                return _solvable(system, [*witnesses, original or {}], solver)
            case ProblemClass.UNDERSPECIFIED:
                return _underspecified(system, witnesses, solver)
    except UntranslatableError as error:
        raise NotCertified(Uncertified.UNTRANSLATABLE, str(error)) from None
    except SolverError as error:
        raise Undecided(str(error)) from None


def entailed(system: System, name: str, solver: Solver) -> Status:
    """Tell whether a fact follows from the other constraints; UNKNOWN where the solver gives up.

    Raises:
        NotCertified: no fact has the name, or a step has no translation.
    """
    fact = system.constraints.get(name)
    if not isinstance(fact, Fact):
        raise NotCertified(Uncertified.UNKNOWN_NAME, name)
    try:
        (answer,) = solver.decide(entailment(system, fact))
    except UntranslatableError as error:
        raise NotCertified(Uncertified.UNTRANSLATABLE, str(error)) from None
    except SolverError:
        return Status.UNKNOWN
    return {"unsat": Status.CONFIRMED, "sat": Status.REFUTED}.get(answer, Status.UNKNOWN)


def solution(system: System, free: Mapping[str, Exact]) -> dict[str, Exact]:
    """Return the value of every variable for values of the free ones.

    Raises:
        NotCertified: the values break a constraint, or a step gives no number.
    """
    try:
        values = system.complete(free)
        broken = system.violated(values)
    except KeyError as error:
        raise NotCertified(Uncertified.NO_SOLUTION, f"{error} has no value") from None
    except (Refusal, ProgramError) as error:
        raise NotCertified(Uncertified.NO_SOLUTION, str(error)) from None
    if broken is not None:
        raise NotCertified(Uncertified.NO_SOLUTION, broken.name)
    return values


def restricted(system: System, names: Collection[str]) -> System:
    """Return the constraints of some names."""
    return System(
        tuple(fact for fact in system.facts if fact.name in names),
        tuple(step for step in system.steps if step.name in names),
        tuple(bound for bound in system.bounds if bound.name in names),
        system.answer,
    )


def _solvable(system: System, witnesses: Sequence[Mapping[str, Exact]], solver: Solver) -> ValidityCertificate:
    model = solution(system, next((values for values in witnesses if values.keys() >= set(system.free)), {}))
    text = uniqueness(system, model, model[system.answer])
    _decide(text, ProblemClass.SOLVABLE, Uncertified.SEVERAL_ANSWERS, solver)
    return _certificate(ProblemClass.SOLVABLE, system, text, models=(model,))


def _underspecified(system: System, witnesses: Sequence[Mapping[str, Exact]], solver: Solver) -> ValidityCertificate:
    if not witnesses:
        raise NotCertified(Uncertified.NO_SOLUTION, "no witnesses")
    first = solution(system, witnesses[0])
    second = next((other for other in _solutions(system, witnesses[1:]) if _differ(system, first, other)), None)
    if second is None:
        raise NotCertified(Uncertified.SAME_ANSWER, f"of {len(witnesses)} values tried")
    text = ambiguity(system, (first, second))
    _decide(text, ProblemClass.UNDERSPECIFIED, Uncertified.SAME_ANSWER, solver)
    return _certificate(ProblemClass.UNDERSPECIFIED, system, text, models=(first, second))


def _solutions(system: System, witnesses: Iterable[Mapping[str, Exact]]) -> Iterator[dict[str, Exact]]:
    for values in witnesses:
        try:
            yield solution(system, values)
        except NotCertified:
            continue


def _differ(system: System, first: Mapping[str, Exact], second: Mapping[str, Exact]) -> bool:
    return first[system.answer] != second[system.answer]


def _contradictory(
    system: System, clash: Sequence[str], original: Mapping[str, Exact] | None, solver: Solver
) -> ValidityCertificate:
    for name in clash:
        if name not in system.constraints:
            raise NotCertified(Uncertified.UNKNOWN_NAME, name)
    if clash:
        _check_rest(restricted(system, system.constraints.keys() - set(clash)), original)
    core = _minimal(system, _candidate(system, frozenset(clash)), solver)
    if clash and not set(clash) & set(core):
        raise NotCertified(Uncertified.UNTOUCHED, ", ".join(core))
    text = contradiction(system, core)
    _decide(text, ProblemClass.CONTRADICTORY, Uncertified.SATISFIABLE, solver)
    return _certificate(ProblemClass.CONTRADICTORY, system, text, core=core)


def _check_rest(rest: System, original: Mapping[str, Exact] | None) -> None:
    """Check by exact evaluation that what an edit left can be met."""
    try:
        broken = rest.violated(original if original is not None else rest.complete())
    except KeyError as error:
        raise NotCertified(Uncertified.BROKEN_BEFORE, f"{error} has no value") from None
    except (Refusal, ProgramError) as error:
        raise NotCertified(Uncertified.BROKEN_BEFORE, str(error)) from None
    if broken is not None:
        raise NotCertified(Uncertified.BROKEN_BEFORE, broken.name)


def _check_redundant(system: System, name: str, original: Mapping[str, Exact] | None, solver: Solver) -> None:
    facts = system.facts
    if original is not None:
        facts = tuple(replace(fact, value=original.get(fact.variable, fact.value)) for fact in facts)
    status = entailed(replace(system, facts=facts), name, solver)
    if status is Status.UNKNOWN:
        message = f"whether {name} follows from the others"
        raise Undecided(message)
    if status is Status.REFUTED:
        raise NotCertified(Uncertified.NOT_ENTAILED, name)


def _candidate(system: System, clash: frozenset[str]) -> list[str]:
    """Return constraints that should clash by themselves: what the values of the others break, and what gives those values.

    Facts are broken before bounds, and few constraints are better than many. All are returned where the others do not give
    every value.
    """
    try:
        values = system.complete()
    except (KeyError, Refusal, ProgramError):
        return list(system.constraints)
    given = _givers(system)
    found = []
    for constraint in system.constraints.values():
        if not isinstance(constraint, Step) and not _met(constraint, values, system):
            names = _cone(constraint, given)
            if not clash or clash & names:
                found.append((isinstance(constraint, Bound), len(names), names))
    if not found:
        return list(system.constraints)
    _, _, names = min(found, key=_rank)
    return [name for name in system.constraints if name in names]


def _rank(found: tuple[bool, int, set[str]]) -> tuple[bool, int]:
    return found[:2]


def _met(constraint: Constraint, values: Mapping[str, Exact], system: System) -> bool:
    return restricted(system, {constraint.name}).violated(values) is None


def _givers(system: System) -> dict[str, Constraint]:
    """Return what gives each variable its value: its step, or the first fact about it."""
    given: dict[str, Constraint] = {}
    for fact in system.facts:
        given.setdefault(fact.variable, fact)
    given.update((step.variable, step) for step in system.steps)
    return given


def _cone(constraint: Constraint, given: Mapping[str, Constraint]) -> set[str]:
    """Return the names of a broken constraint and of all that gives the values it is about."""
    found = {constraint.name}
    waiting = [constraint.variable]
    if isinstance(constraint, Bound) and isinstance(constraint.limit, str):
        waiting.append(constraint.limit)
    while waiting:
        giver = given.get(waiting.pop())
        if giver is not None and giver.name not in found:
            found.add(giver.name)
            if isinstance(giver, Step):
                waiting += ir.names_in_order(giver.expression)
    return found


def _minimal(system: System, candidate: list[str], solver: Solver) -> tuple[str, ...]:
    """Return constraints of a candidate that clash by themselves, none of which can be left out."""
    core = list(candidate)
    choices = [core, *([name for name in core if name != left] for left in core)]
    whole, *without = solver.decide(parts(system, choices), len(choices))
    _check(whole, "unsat", Uncertified.SATISFIABLE)
    # What is needed for the whole is needed for each part of it; of the rest, bounds go first.
    spare = [name for name, answer in zip(core, without, strict=True) if answer != "sat"]
    for name in sorted(spare, key=lambda name: not isinstance(system.constraints[name], Bound)):
        less = [other for other in core if other != name]
        (answer,) = solver.decide(parts(system, [less]))
        if answer == "unknown":
            message = f"whether the contradiction needs {name}"
            raise Undecided(message)
        core = less if answer == "unsat" else core
    return tuple(core)


def _decide(text: str, problem_class: ProblemClass, why: Uncertified, solver: Solver) -> None:
    (answer,) = solver.decide(text)
    _check(answer, expected(problem_class), why)


def _check(answer: str, expect: str, why: Uncertified) -> None:
    if answer == "unknown":
        message = "the solver gave up"
        raise Undecided(message)
    if answer != expect:
        raise NotCertified(why)


def _certificate(
    problem_class: ProblemClass,
    system: System,
    text: str,
    *,
    core: tuple[str, ...] = (),
    models: tuple[Mapping[str, Exact], ...] = (),
) -> ValidityCertificate:
    return ValidityCertificate(problem_class, system, text, expected(problem_class), core, models)
