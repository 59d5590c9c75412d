"""The judge that puts one program to z3 and cvc5 and combines their answers into a validation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from oracles.constraints.program import ANSWER, NUMBERS, ConstraintProgram, UnreadableProgramError, values_of
from oracles.constraints.solver_sessions import POP, PUSH, SolverSessions
from oracles.constraints.validation import Validation, ValidationErrorKind
from oracles.proofs.solvers import SolverError, SolverName

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracles.constraints.solver_sessions import SolverSession
    from oracles.constraints.validation import ValidationCase

VALUES_OF = (SolverName.CVC5, SolverName.Z3)
"""The order of the solvers; the values are those of the first that has any, see `SolverSessions`."""
_CORES = "(set-option :produce-unsat-cores true)\n(set-option :smt.core.minimize true)\n"
_TRUTH = {"sat": True, "unsat": False, "unknown": None}


@dataclass(frozen=True, slots=True)
class _Finding:
    """The result of one solver: the answer to `check-sat` or its error, the values, and whether gold is entailed and `answer` unique."""

    answer: str
    error: str = ""
    values: dict[str, str] = field(default_factory=dict)
    entails: bool | None = None
    unique: bool | None = None


@dataclass(slots=True)
class ProgramJudge:
    """Judges programs, with the sessions of both solvers; `began` is told whose turn it is."""

    work: int
    sessions: dict[SolverName, SolverSessions]
    began: Callable[[str], None]

    @classmethod
    def within(cls, work: int, began: Callable[[str], None] = lambda _: None) -> ProgramJudge:
        """Return a judge with a limit on the work of the solvers for a question."""
        return cls(work, {name: SolverSessions.of(name, work) for name in SolverName}, began)

    def judge(self, case: ValidationCase) -> Validation:
        """Return the validation by both solvers."""
        self.began("reading")
        expected = case.gold is not None or case.satisfiable is not None
        wrong = Validation(
            case.id,
            valid=False,
            entails_gold=None if case.gold is None else False,
            correct=False if expected else None,
        )
        try:
            program = ConstraintProgram.for_solvers(case.program)
        except UnreadableProgramError as unreadable:
            return replace(wrong, error=str(unreadable))
        findings: dict[SolverName, _Finding] = {}
        values: dict[str, str] = {}
        for name in VALUES_OF:
            self.began(name)
            findings[name] = self._asked(name, program, case.gold, values)
            values = values or findings[name].values
        by_solver = {str(name): findings[name].error or findings[name].answer for name in SolverName}
        error = _error(findings)
        if error and program.fault is not None:
            error = str(UnreadableProgramError(program.fault))
        if error:
            return replace(wrong, error=error, by_solver=by_solver)
        satisfiable = _joined(*(_TRUTH[finding.answer] for finding in findings.values()))
        entails = _joined(*(finding.entails for finding in findings.values()))
        return Validation(
            case.id,
            valid=True,
            satisfiable=satisfiable,
            unique=_joined(*(finding.unique for finding in findings.values())),
            # An unsatisfiable program entails everything, which does not count.
            entails_gold=None if case.gold is None else entails if satisfiable is not False else False,
            correct=_correct(case, satisfiable=satisfiable, entails=entails),
            answer=values.get(ANSWER),
            model=values,
            core=self._core(program) if satisfiable is False and program.fault is None else (),
            by_solver=by_solver,
            note="" if program.fault is None else f"for the solvers alone: {program.fault.message}",
        )

    def _asked(
        self, name: SolverName, program: ConstraintProgram, gold: str | None, values: dict[str, str]
    ) -> _Finding:
        """Return the result of a solver; it is asked for values if no other solver has given any."""
        sessions = self.sessions[name]
        try:
            if program.fault is not None:
                return _finding(sessions.opens(program.logic), program, program.question, gold, values)
            session = sessions.session(program.logic)
            question = f"{PUSH}{program.declarations}{program.asserted}(check-sat)\n"
            finding = _finding(session, program, question, gold, values)
            session.tell(POP)
        except SolverError as error:
            sessions.drop()
            return _Finding("", f"{ValidationErrorKind.SOLVER}: {name}: {error}")
        return finding

    def _core(self, program: ConstraintProgram) -> tuple[str, ...]:
        """Return contradicting assertions by z3, all assertions if it gives no core."""
        self.began(SolverName.Z3)
        session = SolverSessions.of(SolverName.Z3, self.work).session(program.logic)
        named = "".join(f"(assert (! {term} :named |.{place}|))\n" for place, term in enumerate(program.assertions))
        try:
            lines = session.tell(f"{_CORES}{program.declarations}{named}(check-sat)\n(get-unsat-core)\n")
        except SolverError:
            return program.assertions
        clashing = {int(name.strip("|.")) for name in lines[-1].strip("()").split()}
        return tuple(term for place, term in enumerate(program.assertions) if place in clashing)


def _finding(
    session: SolverSession, program: ConstraintProgram, question: str, gold: str | None, values: dict[str, str]
) -> _Finding:
    """Return the result of a question that ends with a check, whose answer is the last line said."""
    (*_, answer) = session.tell(question) or ("",)
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
        return _Finding(answer, "", values, None if gold is None else False)
    entails = unique = None
    if gold is not None:
        entails = _only(session, program.literal(gold, declared.sort))
    finite = any(enumeration.name == declared.sort for enumeration in program.script.enumerations)
    if entails:
        unique = True
    elif finite or declared.sort in {*NUMBERS, "Bool"} or program.fault is not None:
        other = program.literal(values.get(ANSWER, ""), declared.sort)
        unique = None if other is None else _only(session, other)
    return _Finding(answer, "", values, entails, unique)


def _only(session: SolverSession, literal: str | None) -> bool | None:
    """Tell whether `answer` can have this value only, which a satisfiable program then entails."""
    if literal is None:
        return False
    (answer,) = session.tell(f"{PUSH}(assert (not (= {ANSWER} {literal})))\n(check-sat)\n{POP}")
    truth = _TRUTH.get(answer)
    return None if truth is None else not truth


def _error(findings: dict[SolverName, _Finding]) -> str:
    for finding in findings.values():
        if finding.error:
            return finding.error
    for what in ("answer", "entails", "unique"):
        answers = {name: getattr(finding, what) for name, finding in findings.items()}
        decided = {name: answer for name, answer in answers.items() if answer is not None and answer != "unknown"}
        if len(set(decided.values())) > 1:
            question = {"answer": "check-sat", "entails": "the gold answer", "unique": "a second answer"}[what]
            described = ", ".join(f"{name} {answer}" for name, answer in decided.items())
            return f"{ValidationErrorKind.DISAGREEMENT}: on {question}: {described}"
    return ""


def _joined(*truths: bool | None) -> bool | None:
    """Return the known truth value; known ones agree."""
    return next((truth for truth in truths if truth is not None), None)


def _correct(case: ValidationCase, *, satisfiable: bool | None, entails: bool | None) -> bool | None:
    if case.gold is not None:
        return satisfiable is True and entails is True
    return None if case.satisfiable is None else satisfiable is case.satisfiable
