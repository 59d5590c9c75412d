"""Validation of SMT-LIB 2 programs by two solvers within limits: valid, satisfiable, unique answer, gold answer entailed."""

import enum
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial

from harness.smtlib.grammar import ANSWER
from harness.smtlib.solvers import POP, PUSH, SolverError, SolverName, SolverSession, SolverSessions, open_session
from harness.smtlib.vocabulary import NUMBERS
from oracles.constraints.program import ConstraintProgram, UnreadableProgramError, values_of
from oracles.constraints.solver_processes import Announce, LostTask, SolverLimits, outcomes

VALUES_OF = (SolverName.CVC5, SolverName.Z3)
"""The order of the solvers; the values are those of the first that has any, see `solver_sessions`."""
_CORES = "(set-option :produce-unsat-cores true)\n(set-option :smt.core.minimize true)\n"
_TRUTH = {"sat": True, "unsat": False, "unknown": None}
_QUESTIONS = {"answer": "check-sat", "entails": "the gold answer", "unique": "a second answer"}


class ValidationErrorKind(enum.StrEnum):
    """The kinds of error beside the `ScriptFaultKind` of the reader and `LossKind`; each error begins with its kind."""

    SOLVER = "solver-error"
    DISAGREEMENT = "solvers-disagree"


@dataclass(frozen=True, slots=True)
class ValidationCase:
    """A program to validate; `gold` is the expected literal and `satisfiable` the expected satisfiability, `None` if unknown."""

    id: str
    program: str
    gold: str | None = None
    satisfiable: bool | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of the solvers on a program."""

    id: str
    """The problem."""
    valid: bool | None
    """Whether both solvers read it and answer `check-sat` alike, perhaps `unknown`; null where one was ended before it answered."""
    error: str = ""
    """What is wrong or what ended a solver, its kind before a colon; empty where nothing is wrong."""
    satisfiable: bool | None = None
    """Whether it can be met; null where that is not known."""
    unique: bool | None = None
    """Whether `answer` has no second value; null where that is not known or there is no `answer`."""
    entails_gold: bool | None = None
    """Whether it entails the gold answer; null where that is not known or there is no gold answer."""
    correct: bool | None = None
    """Whether it is satisfiable and entails the gold answer, or where there is none, is satisfiable or not as it is said to be."""
    answer: str | None = None
    """The value of `answer`."""
    model: Mapping[str, str] = field(default_factory=dict)
    """The values of the constants."""
    core: tuple[str, ...] = ()
    """The assertions that contradict each other."""
    by_solver: Mapping[str, str] = field(default_factory=dict)
    """What each solver answered: `sat`, `unsat`, `unknown` or its error."""
    note: str = ""
    """What the reader does not know of a program that both solvers read, or that a check was added; empty without either."""


def validate_all(
    cases: Iterable[ValidationCase], *, limits: SolverLimits | None = None, workers: int = 0
) -> Generator[Validation, None, None]:
    """Yield the validation of each program, in order; with 0 `workers`, there is one for each core."""
    limits = limits or SolverLimits()
    sessions = shared_sessions(limits.work)

    def decide(case: ValidationCase, began: Announce) -> Validation:
        return ProgramJudge(limits.work, began, sessions).judge(case)

    with closing(outcomes(decide, cases, limits, workers=workers)) as results:
        for case, outcome in results:
            if isinstance(outcome, LostTask):
                # Of a program whose process was ended or died, nothing follows.
                by_solver = {outcome.at: str(outcome.kind)} if outcome.at else {}
                outcome = Validation(case.id, None, outcome.reason, by_solver=by_solver)
            yield outcome


def validate(case: ValidationCase, limits: SolverLimits | None = None) -> Validation:
    """Return the validation of one program."""
    (validation,) = validate_all([case], limits=limits, workers=1)
    return validation


def solver_sessions(work: int) -> dict[SolverName, SolverSessions]:
    """Return the sessions of both solvers with a limit on the work for a question.

    Those of cvc5 are new for each script: its values are the reported ones, and do not depend on other scripts then.
    """
    return {name: SolverSessions(partial(open_session, name, work), name is SolverName.Z3) for name in SolverName}


@cache
def shared_sessions(work: int) -> dict[SolverName, SolverSessions]:
    """Return the sessions that copies of this process share: what is opened once is not opened in each."""
    sessions = solver_sessions(work)
    with sessions[SolverName.Z3].script("ALL"):
        return sessions


@dataclass(frozen=True, slots=True)
class _Finding:
    """The result of one solver: the answer to `check-sat` or its error, the values, and whether gold is entailed and `answer` unique."""

    answer: str
    error: str = ""
    values: dict[str, str] = field(default_factory=dict)
    entails: bool | None = None
    unique: bool | None = None


@dataclass(slots=True)
class SolverQuestions:
    """Sessions of both solvers in this process, with a limit on the work for a question; `began` is told the name of the next step."""

    work: int
    began: Announce = lambda _: None
    sessions: dict[SolverName, SolverSessions] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sessions = {**solver_sessions(self.work), **self.sessions}


class ProgramJudge(SolverQuestions):
    """Judges programs in this process."""

    def judge(self, case: ValidationCase) -> Validation:
        """Return the validation by both solvers."""
        self.began("reading")
        gold, stated = case.gold, case.satisfiable
        wrong = Validation(
            case.id,
            valid=False,
            entails_gold=None if gold is None else False,
            correct=None if gold is None and stated is None else False,
        )
        try:
            program = ConstraintProgram.for_solvers(case.program)
        except UnreadableProgramError as unreadable:
            return replace(wrong, error=str(unreadable))
        findings: dict[SolverName, _Finding] = {}
        values: dict[str, str] = {}
        for name in VALUES_OF:
            self.began(name)
            findings[name] = self._finding(name, program, gold, values)
            values = values or findings[name].values
        by_solver = {str(name): findings[name].error or findings[name].answer for name in SolverName}
        if error := _first_error(findings):
            shown = error if program.fault is None else str(UnreadableProgramError(program.fault))
            return replace(wrong, error=shown, by_solver=by_solver)

        def known(truths: Iterable[bool | None]) -> bool | None:
            return next((truth for truth in truths if truth is not None), None)

        satisfiable = known(_TRUTH[finding.answer] for finding in findings.values())
        entails = known(finding.entails for finding in findings.values())
        right = None if stated is None else satisfiable is stated
        return Validation(
            case.id,
            valid=True,
            satisfiable=satisfiable,
            unique=known(finding.unique for finding in findings.values()),
            # An unsatisfiable program entails everything, which does not count.
            entails_gold=None if gold is None else entails if satisfiable is not False else False,
            correct=right if gold is None else satisfiable is True and entails is True,
            answer=values.get(ANSWER),
            model=values,
            core=self._core(program) if satisfiable is False and program.fault is None else (),
            by_solver=by_solver,
            note="" if program.fault is None else f"for the solvers alone: {program.fault.message}",
        )

    def _finding(
        self, name: SolverName, program: ConstraintProgram, gold: str | None, values: dict[str, str]
    ) -> _Finding:
        """Return the result of a solver; it is asked for values if no other solver has given any."""
        sessions, plain, logic = self.sessions[name], program.fault is None, program.script.logic or "ALL"
        try:
            # What our reader does not know is put whole to a session of its own.
            with sessions.script(logic) if plain else nullcontext(sessions.opens(logic)) as session:
                (*_, answer) = session.tell(program.commands if plain else program.question) or ("",)
                return _session_finding(session, answer, program, gold, values)
        except SolverError as error:
            return _Finding("", f"{ValidationErrorKind.SOLVER}: {name}: {error}")

    def _core(self, program: ConstraintProgram) -> tuple[str, ...]:
        """Return contradicting assertions by z3, all assertions if it gives no core."""
        self.began(SolverName.Z3)
        named = "".join(f"(assert (! {term} :named |.{place}|))\n" for place, term in enumerate(program.assertions))
        try:
            session = open_session(SolverName.Z3, self.work)
            lines = session.tell(f"{_CORES}{program.declarations}{named}(check-sat)\n(get-unsat-core)\n")
        except SolverError:
            return program.assertions
        clashing = {int(name.strip("|.")) for name in lines[-1].strip("()").split()}
        return tuple(term for place, term in enumerate(program.assertions) if place in clashing)


def _session_finding(
    session: SolverSession, answer: str, program: ConstraintProgram, gold: str | None, values: dict[str, str]
) -> _Finding:
    """Return the result of a session from its answer to the last check."""
    if answer not in _TRUTH:
        raise SolverError(f"answers {answer[:80]!r} to (check-sat)")
    if answer != "sat":
        return _Finding(answer)
    if program.asking and not values:
        values = values_of(" ".join(session.tell(program.asking)))
    if program.assumed:
        session.tell(program.assumed)
    declared = program.constants.get(ANSWER)
    if declared is None:
        return _Finding("sat", "", values, None if gold is None else False)

    def only(literal: str | None) -> bool | None:
        """Tell whether `answer` can have this value only, which a satisfiable program then entails."""
        if literal is None:
            return False
        (other,) = session.tell(f"{PUSH}(assert (not (= {ANSWER} {literal})))\n(check-sat)\n{POP}")
        return {"sat": False, "unsat": True}.get(other)

    entails = None if gold is None else only(program.literal(gold, declared.sort))
    unique: bool | None = entails or None
    finite = any(enumeration.name == declared.sort for enumeration in program.script.enumerations)
    if not entails and (finite or declared.sort in {*NUMBERS, "Bool"} or program.fault is not None):
        value = program.literal(values.get(ANSWER, ""), declared.sort)
        unique = None if value is None else only(value)
    return _Finding("sat", "", values, entails, unique)


def _first_error(findings: Mapping[SolverName, _Finding]) -> str:
    """Return the first error of a solver, or the question on which both contradict each other."""
    for finding in findings.values():
        if finding.error:
            return finding.error
    for field_name, question in _QUESTIONS.items():
        answers = {name: getattr(finding, field_name) for name, finding in findings.items()}
        decided = {name: answer for name, answer in answers.items() if answer is not None and answer != "unknown"}
        if len(set(decided.values())) > 1:
            listed = ", ".join(f"{name} {answer}" for name, answer in decided.items())
            return f"{ValidationErrorKind.DISAGREEMENT}: on {question}: {listed}"
    return ""
