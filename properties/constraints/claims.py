"""The claims about a constraint problem: valid, satisfiable, unique, gold answer entailed, and repaired after a break."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from generators.constraints.breakage import break_program
from generators.constraints.repair.program_repair import repair
from harness.domain import Status, Verdict
from harness.smtlib.constraint_problem import NOTHING_SAID
from oracles.constraints.equivalence import equivalent
from oracles.constraints.validation import ValidationCase, validate
from oracles.constraints.worker_pool import SolverWorker

if TYPE_CHECKING:
    from harness.smtlib.constraint_problem import ConstraintProblem
    from oracles.constraints.validation import Validation

CLAIMS = ("valid", "satisfiable", "unique", "entails", "repaired")
SOLVERS = "z3+cvc5"
MOST_WAYS = 3


@dataclass(slots=True)
class ProblemJudge:
    """Judges the claims about constraint problems; the solvers run in a process that is ended by `close`."""

    seed: int
    _solvers: SolverWorker = field(default_factory=SolverWorker)
    _last: tuple[str, Validation] | None = None

    def judge(self, claim: str, problem: ConstraintProblem) -> Verdict:
        """Judge one claim about a problem."""
        found = self._validated(problem)
        if claim == "valid":
            return _valid(problem, found)
        if claim == "repaired":
            return self._repaired(problem, found)
        said = {
            "satisfiable": problem.satisfiable,
            "unique": problem.unique,
            "entails": None if problem.gold is None else True,
        }[claim]
        if said is None:
            return _verdict(problem, claim, Status.UNKNOWN, NOTHING_SAID, "the record does not say so")
        if not found.valid:
            return _verdict(problem, claim, _without_answer(found), SOLVERS, found.error)
        told = {"satisfiable": found.satisfiable, "unique": found.unique, "entails": found.entails_gold}[claim]
        if told is None:
            return _verdict(problem, claim, Status.UNKNOWN, SOLVERS, "the solvers do not decide it within their limits")
        if told is said:
            return _verdict(problem, claim, Status.CONFIRMED, SOLVERS, None)
        return _verdict(problem, claim, Status.REFUTED, SOLVERS, _told(problem, claim, found))

    def _validated(self, problem: ConstraintProblem) -> Validation:
        # The claims about a problem run one after the other: the last one's validation is all that is worth keeping.
        if self._last is None or self._last[0] != problem.id:
            case = ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable)
            self._last = problem.id, validate(case, self._solvers)
        return self._last[1]

    def _repaired(self, problem: ConstraintProblem, found: Validation) -> Verdict:
        if not found.valid:
            return _verdict(problem, "repaired", Status.UNKNOWN, NOTHING_SAID, "the program itself is not valid")
        random = Random(f"{self.seed}:{problem.id}:ways")
        count = random.randint(1, MOST_WAYS)
        broken = break_program(problem.program, count, f"{self.seed}:{problem.id}")
        if broken is None:
            return _verdict(problem, "repaired", Status.UNKNOWN, NOTHING_SAID, f"fewer than {count} ways apply")
        mended = repair(broken.program)
        ways = ", ".join(broken.ways)
        if mended.faults_left:
            return _verdict(
                problem, "repaired", Status.UNKNOWN, "repair", f"{ways}: left with {mended.faults_left[0].message}"
            )
        same = equivalent(problem.program, mended.program, self._solvers)
        if same.status is Status.REFUTED and not mended.certain:
            return _verdict(
                problem, "repaired", Status.UNKNOWN, "repair", f"{ways}: means something else, and says it may"
            )
        return _verdict(
            problem, "repaired", same.status, same.method, f"{ways}: {same.reason or 'means something else'}", checked=1
        )

    def close(self) -> None:
        """End the process of the solvers."""
        self._solvers.close()


def _valid(problem: ConstraintProblem, found: Validation) -> Verdict:
    if found.valid:
        return _verdict(problem, "valid", Status.CONFIRMED, SOLVERS, None)
    return _verdict(problem, "valid", _without_answer(found), SOLVERS, found.error)


def _without_answer(found: Validation) -> Status:
    """Return what a program without a valid answer comes to: it is refuted, but for one whose solvers were ended."""
    return Status.UNKNOWN if found.valid is None else Status.REFUTED


def _told(problem: ConstraintProblem, claim: str, found: Validation) -> str:
    if claim == "satisfiable":
        return "it cannot be satisfied" if problem.satisfiable else "it can be satisfied"
    if claim == "unique":
        return f"answer may be other than {found.answer}" if problem.unique else f"answer can only be {found.answer}"
    return f"it does not entail {problem.gold}; answer may be {found.answer}"


def _verdict(
    problem: ConstraintProblem, claim: str, status: Status, method: str, reason: str | None, *, checked: int = 1
) -> Verdict:
    said = None if status is Status.CONFIRMED else reason
    return Verdict(
        claim,
        problem.id,
        problem.domain,
        None,
        status,
        method,
        checked=0 if status is Status.UNKNOWN else checked,
        reason=said,
    )
