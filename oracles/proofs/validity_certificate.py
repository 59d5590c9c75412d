"""The proof that a system of constraints is solvable, contradictory or underspecified, as a certificate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.constraint_system import Fact, ProblemClass
from harness.domain import Status
from harness.program.refusal import ProgramError, Refusal
from oracles.equivalence.provers.translation_error import UntranslatableError
from oracles.proofs.certification_failure import SolverUndecided, UncertifiedReason, VariantNotCertified, check_answer
from oracles.proofs.linearity import is_tame
from oracles.proofs.smtlib_script import ambiguity, contradiction, entailment, expected_answer, uniqueness
from oracles.proofs.solvers import SolverError
from oracles.proofs.system_record import system_fault
from oracles.proofs.unsat_cores import minimal_core, restricted_system

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from harness.constraint_system import ConstraintSystem
    from harness.domain import Exact
    from oracles.proofs.solvers import Solver


@dataclass(frozen=True)
class ValidityCertificate:
    """That a system is of a class.

    `smtlib` is a file to which any solver answers `expect`. `core` names constraints of a contradictory system that clash by
    themselves, and none of which can be left out. `models` are solutions: one of a solvable system, two that differ in
    the answer of an underspecified one.
    """

    problem_class: ProblemClass
    system: ConstraintSystem
    smtlib: str
    expect: str
    core: tuple[str, ...] = ()
    models: tuple[Mapping[str, Exact], ...] = ()


def certify(
    problem_class: ProblemClass,
    system: ConstraintSystem,
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
    problem = system_fault(system)
    if problem is not None:
        raise VariantNotCertified(UncertifiedReason.MALFORMED, problem)
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
        raise VariantNotCertified(UncertifiedReason.UNTRANSLATABLE, str(error)) from None
    except SolverError as error:
        raise SolverUndecided(str(error)) from None


def is_entailed(system: ConstraintSystem, name: str, solver: Solver) -> Status:
    """Tell whether a fact follows from the other constraints; UNKNOWN where the solver gives up.

    Raises:
        NotCertified: no fact has the name, or a step has no translation.
    """
    fact = system.constraints.get(name)
    if not isinstance(fact, Fact):
        raise VariantNotCertified(UncertifiedReason.MALFORMED, f"no constraint is named {name}")
    try:
        if not is_tame(restricted_system(system, system.constraints.keys() - {name})):
            return Status.UNKNOWN
        (answer,) = solver.decide(entailment(system, fact))
    except UntranslatableError as error:
        raise VariantNotCertified(UncertifiedReason.UNTRANSLATABLE, str(error)) from None
    except SolverError:
        return Status.UNKNOWN
    return {"unsat": Status.CONFIRMED, "sat": Status.REFUTED}.get(answer, Status.UNKNOWN)


def solution(system: ConstraintSystem, free: Mapping[str, Exact]) -> dict[str, Exact]:
    """Return the value of every variable for values of the free ones.

    Raises:
        NotCertified: the values break a constraint, or a step gives no number.
    """
    try:
        values = system.complete(free)
        broken = system.violated(values)
    except KeyError as error:
        raise VariantNotCertified(UncertifiedReason.NO_SOLUTION, f"{error} has no value") from None
    except (Refusal, ProgramError) as error:
        raise VariantNotCertified(UncertifiedReason.NO_SOLUTION, str(error)) from None
    if broken is not None:
        raise VariantNotCertified(UncertifiedReason.NO_SOLUTION, broken.name)
    return values


def _solvable(
    system: ConstraintSystem, witnesses: Sequence[Mapping[str, Exact]], solver: Solver
) -> ValidityCertificate:
    model = solution(system, next((values for values in witnesses if values.keys() >= set(system.free)), {}))
    _check_tame(system)
    text = uniqueness(system, model, model[system.answer])
    _decide(text, ProblemClass.SOLVABLE, UncertifiedReason.SEVERAL_ANSWERS, solver)
    return _certificate(ProblemClass.SOLVABLE, system, text, models=(model,))


def _underspecified(
    system: ConstraintSystem, witnesses: Sequence[Mapping[str, Exact]], solver: Solver
) -> ValidityCertificate:
    if not witnesses:
        raise VariantNotCertified(UncertifiedReason.NO_SOLUTION, "no witnesses")
    first = solution(system, witnesses[0])
    second = next((other for other in _solutions(system, witnesses[1:]) if _differ(system, first, other)), None)
    if second is None:
        raise VariantNotCertified(UncertifiedReason.SAME_ANSWER, f"of {len(witnesses)} values tried")
    text = ambiguity(system, (first, second))
    _decide(text, ProblemClass.UNDERSPECIFIED, UncertifiedReason.SAME_ANSWER, solver)
    return _certificate(ProblemClass.UNDERSPECIFIED, system, text, models=(first, second))


def _solutions(system: ConstraintSystem, witnesses: Iterable[Mapping[str, Exact]]) -> Iterator[dict[str, Exact]]:
    for values in witnesses:
        try:
            yield solution(system, values)
        except VariantNotCertified:
            continue


def _differ(system: ConstraintSystem, first: Mapping[str, Exact], second: Mapping[str, Exact]) -> bool:
    return first[system.answer] != second[system.answer]


def _contradictory(
    system: ConstraintSystem, clash: Sequence[str], original: Mapping[str, Exact] | None, solver: Solver
) -> ValidityCertificate:
    for name in clash:
        if name not in system.constraints:
            raise VariantNotCertified(UncertifiedReason.MALFORMED, f"no constraint is named {name}")
    if clash:
        _check_rest(restricted_system(system, system.constraints.keys() - set(clash)), original)
    _check_tame(system)
    core = minimal_core(system, solver)
    _check_tame(restricted_system(system, core))
    if clash and not set(clash) & set(core):
        raise VariantNotCertified(UncertifiedReason.UNTOUCHED, ", ".join(core))
    # A system with an unsatisfiable part is unsatisfiable.
    return _certificate(ProblemClass.CONTRADICTORY, system, contradiction(system, core), core=core)


def _check_rest(rest: ConstraintSystem, original: Mapping[str, Exact] | None) -> None:
    """Check by exact evaluation that the constraints left by an edit can be met."""
    try:
        stated = {fact.variable: fact.value for fact in rest.facts}
        values = rest.complete() if original is None else {**stated, **rest.complete(original), **original}
        broken = rest.violated(values)
    except KeyError as error:
        raise VariantNotCertified(UncertifiedReason.BROKEN_BEFORE, f"{error} has no value") from None
    except (Refusal, ProgramError) as error:
        raise VariantNotCertified(UncertifiedReason.BROKEN_BEFORE, str(error)) from None
    if broken is not None:
        raise VariantNotCertified(UncertifiedReason.BROKEN_BEFORE, broken.name)


def _check_redundant(system: ConstraintSystem, name: str, original: Mapping[str, Exact] | None, solver: Solver) -> None:
    facts = system.facts
    if original is not None:
        facts = tuple(replace(fact, value=original.get(fact.variable, fact.value)) for fact in facts)
    status = is_entailed(replace(system, facts=facts), name, solver)
    if status is Status.UNKNOWN:
        message = f"whether {name} follows from the others"
        raise SolverUndecided(message)
    if status is Status.REFUTED:
        raise VariantNotCertified(UncertifiedReason.NOT_ENTAILED, name)


def _check_tame(system: ConstraintSystem) -> None:
    if not is_tame(system):
        message = f"constraints that are curved in {', '.join(system.free)}"
        raise SolverUndecided(message)


def _decide(text: str, problem_class: ProblemClass, why: UncertifiedReason, solver: Solver) -> None:
    (answer,) = solver.decide(text)
    check_answer(answer, expected_answer(problem_class), why)


def _certificate(
    problem_class: ProblemClass,
    system: ConstraintSystem,
    text: str,
    *,
    core: tuple[str, ...] = (),
    models: tuple[Mapping[str, Exact], ...] = (),
) -> ValidityCertificate:
    return ValidityCertificate(problem_class, system, text, expected_answer(problem_class), core, models)
