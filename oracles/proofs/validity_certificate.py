"""The proof that a system of constraints is solvable, contradictory or underspecified, as a certificate."""

import enum
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from harness.constraint_system import Bound, Constraint, ConstraintStep, ConstraintSystem, Fact, ProblemClass, allows
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal, UntranslatableError
from oracles.proofs.solvers import Solver, SolverError
from oracles.proofs.system_form import is_piecewise_linear, restricted_system, system_fault
from oracles.proofs.validity_script import ambiguity, contradiction, expected_answer, partial_script, uniqueness


class UncertifiedReason(enum.StrEnum):
    """Why a system has no certificate of a class."""

    SATISFIABLE = "the constraints can be met"
    UNTOUCHED = "the edit takes no part in the contradiction"
    BROKEN_BEFORE = "the constraints are not met without the edit"
    NO_SOLUTION = "the values break a constraint"
    SEVERAL_ANSWERS = "the constraints leave several answers"
    SAME_ANSWER = "no two solutions differ in the answer"
    MALFORMED = "the constraints are no system"
    UNTRANSLATABLE = "a step has no translation for solvers"


class VariantNotCertified(Exception):
    """A system is not of the class; `why` says what is wrong, the text with which constraint or value."""

    def __init__(self, why: UncertifiedReason, detail: str = "") -> None:
        """Keep the reason apart from its detail, for who counts reasons."""
        self.why = why
        self.detail = detail
        super().__init__(f"{why}: {detail}" if detail else str(why))


class SolverUndecided(Exception):
    """The solver gave up, or could not read its input: nothing is known about the system."""


@dataclass(frozen=True)
class ValidityCertificate:
    """That a system is of a class.

    `smtlib` is a file to which any solver answers `expect`. `core` names constraints of a contradictory system that clash by
    themselves. `models` are solutions: one of a solvable system, two that differ in
    the answer of an underspecified one.
    """

    problem_class: ProblemClass
    system: ConstraintSystem
    smtlib: str
    core: tuple[str, ...] = ()
    models: tuple[Mapping[str, Exact], ...] = ()

    @property
    def expect(self) -> str:
        """Return the expected answer of a solver."""
        return expected_answer(self.problem_class)


def certify(
    problem_class: ProblemClass,
    system: ConstraintSystem,
    *,
    clash: Sequence[str] = (),
    witnesses: Sequence[Mapping[str, Exact]] = (),
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
        original: the values of the variables before the edit, those that meet what is left without the clash.
        solver: who decides.

    Raises:
        VariantNotCertified: the system is not of the class.
        SolverUndecided: the solver gave up.
    """
    problem = system_fault(system)
    if problem is not None:
        raise VariantNotCertified(UncertifiedReason.MALFORMED, problem)
    unknown = next((name for name in clash if name not in system.constraints), None)
    if unknown is not None:
        raise VariantNotCertified(UncertifiedReason.MALFORMED, f"no constraint is named {unknown}")
    try:
        match problem_class:
            case ProblemClass.CONTRADICTORY:
                return _contradictory(system, clash, original, solver)
            case ProblemClass.SOLVABLE:
                return _solvable(system, [*witnesses, original or {}], solver)
            case ProblemClass.UNDERSPECIFIED:
                return _underspecified(system, witnesses, solver)
    except UntranslatableError as error:
        raise VariantNotCertified(UncertifiedReason.UNTRANSLATABLE, str(error)) from None
    except SolverError as error:
        raise SolverUndecided(str(error)) from None


def solution(
    system: ConstraintSystem,
    free: Mapping[str, Exact] | None,
    *,
    known: Mapping[str, Exact] | None = None,
    why: UncertifiedReason = UncertifiedReason.NO_SOLUTION,
) -> dict[str, Exact]:
    """Return the value of every variable for values of the free ones, `known` ones in place of those of steps; where they break a constraint, or a step gives no number, `VariantNotCertified` says `why`."""
    try:
        values = system.complete(free)
        if known is not None:
            values = {**{fact.variable: fact.value for fact in system.facts}, **values, **known}
        broken = system.violated(values)
    except KeyError as error:
        raise VariantNotCertified(why, f"{error} has no value") from None
    except (Refusal, ProgramError) as error:
        raise VariantNotCertified(why, str(error)) from None
    if broken is not None:
        raise VariantNotCertified(why, broken.name)
    return values


def _solvable(
    system: ConstraintSystem, witnesses: Sequence[Mapping[str, Exact]], solver: Solver
) -> ValidityCertificate:
    model = solution(system, next((values for values in witnesses if values.keys() >= set(system.free)), {}))
    text = uniqueness(system, model, model[system.answer])
    if _solver_answer(system, text, solver) == "sat":
        raise VariantNotCertified(UncertifiedReason.SEVERAL_ANSWERS)
    return ValidityCertificate(ProblemClass.SOLVABLE, system, text, models=(model,))


def _underspecified(
    system: ConstraintSystem, witnesses: Sequence[Mapping[str, Exact]], solver: Solver
) -> ValidityCertificate:
    if not witnesses:
        raise VariantNotCertified(UncertifiedReason.NO_SOLUTION, "no witnesses")
    first = solution(system, witnesses[0])
    for values in witnesses[1:]:
        try:
            second = solution(system, values)
        except VariantNotCertified:
            continue
        if first[system.answer] != second[system.answer]:
            text = ambiguity(system, (first, second))
            # The models give every variable its value: solvers end on it, nonlinear or not.
            if _solver_answer(None, text, solver) == "unsat":
                break
            return ValidityCertificate(ProblemClass.UNDERSPECIFIED, system, text, models=(first, second))
    raise VariantNotCertified(UncertifiedReason.SAME_ANSWER, f"of {len(witnesses)} values tried")


def _contradictory(
    system: ConstraintSystem, clash: Sequence[str], original: Mapping[str, Exact] | None, solver: Solver
) -> ValidityCertificate:
    if clash:
        rest = restricted_system(system, system.constraints.keys() - set(clash))
        solution(rest, original, known=original, why=UncertifiedReason.BROKEN_BEFORE)
    if not is_piecewise_linear(system):
        raise SolverUndecided(f"constraints that are nonlinear in {', '.join(system.free)}")
    clashing = _clashing_names(system, original or {})
    core = tuple(name for name in system.constraints if name in clashing)
    if _solver_answer(restricted_system(system, core), partial_script(system, core), solver) == "sat":
        raise VariantNotCertified(UncertifiedReason.SATISFIABLE)
    if clash and not set(clash) & set(core):
        raise VariantNotCertified(UncertifiedReason.UNTOUCHED, ", ".join(core))
    # A system with an unsatisfiable part is unsatisfiable.
    return ValidityCertificate(ProblemClass.CONTRADICTORY, system, contradiction(system, core), core=core)


def _solver_answer(system: ConstraintSystem | None, text: str, solver: Solver) -> str:
    """Return what a solver says of a script, `sat` or `unsat`; it is not asked about a system that is nonlinear in what is open."""
    if system is not None and not is_piecewise_linear(system):
        raise SolverUndecided(f"constraints that are nonlinear in {', '.join(system.free)}")
    (answer,) = solver.decide(text)
    if answer == "unknown":
        raise SolverUndecided("the solver gave up")
    return answer


def _clashing_names(system: ConstraintSystem, original: Mapping[str, Exact]) -> Collection[str]:
    """Return the names of a constraint that is broken at the original values and of those that give these, all names where none is.

    Facts are preferred to bounds, few constraints to many. A constraint whose value rests on a variable that nothing gives does not clash.
    """
    try:
        values = system.complete(original)
    except (KeyError, Refusal, ProgramError):
        return system.constraints
    given: dict[str, Constraint] = {}
    for fact in system.facts:
        given.setdefault(fact.variable, fact)
    given.update((step.variable, step) for step in system.steps)
    stated: tuple[Fact | Bound, ...] = (*system.facts, *system.bounds)
    open_steps = {step.name for step in system.steps if not given.keys() >= {*ir.names_in_order(step.expression)}}
    cones = [(isinstance(part, Bound), _giving_names(part, given)) for part in stated if not allows(part, values)]
    closed = [(bound, len(cone), cone) for bound, cone in cones if open_steps.isdisjoint(cone)]
    return min(closed, key=itemgetter(0, 1))[2] if closed else system.constraints


def _giving_names(constraint: Fact | Bound, given: Mapping[str, Constraint]) -> frozenset[str]:
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
