"""The claims about a constraint problem: valid, satisfiable, unique, gold answer entailed, and repaired after a break."""

from dataclasses import dataclass, field
from random import Random

from generators.constraints.error_injection import break_program
from generators.constraints.repair.program_repair import repair
from harness.domain import Status, Verdict
from harness.records.constraint import NOTHING_SAID, ConstraintProblem
from oracles.constraints.equivalence import equivalent
from oracles.constraints.validation import Validation, ValidationCase, validate
from oracles.constraints.worker_pool import SolverWorker

CLAIMS = ("valid", "satisfiable", "unique", "entails", "repaired")
SOLVERS = "z3+cvc5"
MOST_WAYS = 3
Finding = tuple[Status, str, str | None]
"""The status of a claim, the method that gave it, and the reason unless it is confirmed."""


@dataclass(slots=True)
class ProblemJudge:
    """Judges the claims about constraint problems; the solvers run in a process that is ended by `close`."""

    seed: int
    _solvers: SolverWorker = field(default_factory=SolverWorker)
    _last: tuple[str, Validation] | None = None

    def judge(self, claim: str, problem: ConstraintProblem) -> Verdict:
        """Judge one claim about a problem."""
        # The claims about a problem run one after the other: the last one's validation is all that is worth keeping.
        if self._last is None or self._last[0] != problem.id:
            case = ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable)
            self._last = problem.id, validate(case, self._solvers)
        found = self._last[1]
        status, method, reason = (
            self._repaired(problem, found) if claim == "repaired" else _record_finding(claim, problem, found)
        )
        checked, reason = int(status is not Status.UNKNOWN), None if status is Status.CONFIRMED else reason
        return Verdict(claim, problem.id, problem.domain, None, status, method, checked=checked, reason=reason)

    def _repaired(self, problem: ConstraintProblem, found: Validation) -> Finding:
        if not found.valid:
            return Status.UNKNOWN, NOTHING_SAID, "the program itself is not valid"
        count = Random(f"{self.seed}:{problem.id}:ways").randint(1, MOST_WAYS)
        broken = break_program(problem.program, count, f"{self.seed}:{problem.id}")
        if broken is None:
            return Status.UNKNOWN, NOTHING_SAID, f"fewer than {count} ways apply"
        repaired, ways = repair(broken.program), ", ".join(broken.ways)
        if repaired.faults_left:
            return Status.UNKNOWN, "repair", f"{ways}: left with {repaired.faults_left[0].message}"
        same = equivalent(problem.program, repaired.program, self._solvers)
        if same.status is Status.REFUTED and not repaired.certain:
            return Status.UNKNOWN, "repair", f"{ways}: means something else, and says it may"
        return same.status, same.method, f"{ways}: {same.reason or 'means something else'}"

    def close(self) -> None:
        """End the process of the solvers."""
        self._solvers.close()


def _record_finding(claim: str, problem: ConstraintProblem, found: Validation) -> Finding:
    """Return the finding on what the record of a problem says of its program."""
    can, other = "cannot" if problem.satisfiable else "can", "may be other than" if problem.unique else "can only be"
    stated, decided, contradiction = {
        "valid": (True, found.valid, found.error),
        "satisfiable": (problem.satisfiable, found.satisfiable, f"it {can} be satisfied"),
        "unique": (problem.unique, found.unique, f"answer {other} {found.answer}"),
        "entails": (
            None if problem.gold is None else True,
            found.entails_gold,
            f"it does not entail {problem.gold}; answer may be {found.answer}",
        ),
    }[claim]
    if stated is None:
        return Status.UNKNOWN, NOTHING_SAID, "the record does not say so"
    if not found.valid:
        # A program is refuted without a valid answer, but for one whose solvers were ended.
        return Status.UNKNOWN if found.valid is None else Status.REFUTED, SOLVERS, found.error
    if decided is None:
        return Status.UNKNOWN, SOLVERS, "the solvers do not decide it within their limits"
    return Status.CONFIRMED if decided is stated else Status.REFUTED, SOLVERS, contradiction
