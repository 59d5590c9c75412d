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


@dataclass(frozen=True, slots=True)
class _Finding:
    """The status of a claim, the method that gave it, and the reason unless it is confirmed."""

    status: Status
    method: str = SOLVERS
    reason: str | None = None


@dataclass(slots=True)
class ProblemJudge:
    """Judges the claims about constraint problems; the solvers run in a process that is ended by `close`."""

    seed: int
    _solvers: SolverWorker = field(default_factory=SolverWorker)
    _last: tuple[str, Validation] | None = None

    def judge(self, claim: str, problem: ConstraintProblem) -> Verdict:
        """Judge one claim about a problem."""
        finding = self._finding(claim, problem, self._validated(problem))
        return Verdict(
            claim,
            problem.id,
            problem.domain,
            None,
            finding.status,
            finding.method,
            checked=int(finding.status is not Status.UNKNOWN),
            reason=None if finding.status is Status.CONFIRMED else finding.reason,
        )

    def _validated(self, problem: ConstraintProblem) -> Validation:
        # The claims about a problem run one after the other: the last one's validation is all that is worth keeping.
        if self._last is None or self._last[0] != problem.id:
            case = ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable)
            self._last = problem.id, validate(case, self._solvers)
        return self._last[1]

    def _finding(self, claim: str, problem: ConstraintProblem, found: Validation) -> _Finding:
        if claim == "repaired":
            return self._repaired(problem, found)
        stated, decided, contradiction = {
            "valid": (True, found.valid, found.error),
            "satisfiable": (
                problem.satisfiable,
                found.satisfiable,
                "it cannot be satisfied" if problem.satisfiable else "it can be satisfied",
            ),
            "unique": (
                problem.unique,
                found.unique,
                f"answer {'may be other than' if problem.unique else 'can only be'} {found.answer}",
            ),
            "entails": (
                None if problem.gold is None else True,
                found.entails_gold,
                f"it does not entail {problem.gold}; answer may be {found.answer}",
            ),
        }[claim]
        if stated is None:
            return _Finding(Status.UNKNOWN, NOTHING_SAID, "the record does not say so")
        if not found.valid:
            # A program is refuted without a valid answer, but for one whose solvers were ended.
            return _Finding(Status.UNKNOWN if found.valid is None else Status.REFUTED, reason=found.error)
        if decided is None:
            return _Finding(Status.UNKNOWN, reason="the solvers do not decide it within their limits")
        return _Finding(Status.CONFIRMED if decided is stated else Status.REFUTED, reason=contradiction)

    def _repaired(self, problem: ConstraintProblem, found: Validation) -> _Finding:
        if not found.valid:
            return _Finding(Status.UNKNOWN, NOTHING_SAID, "the program itself is not valid")
        count = Random(f"{self.seed}:{problem.id}:ways").randint(1, MOST_WAYS)
        broken = break_program(problem.program, count, f"{self.seed}:{problem.id}")
        if broken is None:
            return _Finding(Status.UNKNOWN, NOTHING_SAID, f"fewer than {count} ways apply")
        repaired = repair(broken.program)
        ways = ", ".join(broken.ways)
        if repaired.faults_left:
            return _Finding(Status.UNKNOWN, "repair", f"{ways}: left with {repaired.faults_left[0].message}")
        same = equivalent(problem.program, repaired.program, self._solvers)
        if same.status is Status.REFUTED and not repaired.certain:
            return _Finding(Status.UNKNOWN, "repair", f"{ways}: means something else, and says it may")
        return _Finding(same.status, same.method, f"{ways}: {same.reason or 'means something else'}")

    def close(self) -> None:
        """End the process of the solvers."""
        self._solvers.close()
