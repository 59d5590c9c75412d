"""The constraint stage of a run: generated or given problems, the claims about each (valid, satisfiable, unique, gold answer entailed, repaired after a break), and the sealed records."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Self

from generators.constraints.error_injection import break_program
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.repair.program_repair import repair
from harness.domain import Status, Verdict
from harness.json_form import json_form
from harness.records.constraint import NOTHING_SAID, ConstraintProblem
from harness.stages import SMT
from oracles.constraints.equivalence import equivalent
from oracles.constraints.rows import ALIGNMENT, aligned, read_constraint_problems
from oracles.constraints.solver_processes import SolverLimits
from oracles.constraints.validation import Validation, ValidationCase, validate
from properties.engine.inputs import SessionInputs
from properties.engine.stage_run import Key, Record, StageClaims, StageCounts, StageRun

CLAIMS = ("valid", "satisfiable", "unique", "entails", "repaired")
SOLVERS = "z3+cvc5"
MOST_WAYS = 3
Finding = tuple[Status, str, str | None]
"""The status of a claim, the method that gave it, and the reason unless it is confirmed."""


validated = lru_cache(maxsize=1)(validate)
"""Returns the validation of a program; the claims about a problem run one after the other, so that the last one is kept."""


def judged(claim: str, problem: ConstraintProblem, seed: int, limits: SolverLimits | None = None) -> Verdict:
    """Judge one claim about a problem; the seed is that of the breaks to be repaired."""
    found = validated(ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable), limits)
    status, method, reason = (
        _repaired(problem, found, seed, limits) if claim == "repaired" else _record_finding(claim, problem, found)
    )
    checked, reason = int(status is not Status.UNKNOWN), None if status is Status.CONFIRMED else reason
    return Verdict(claim, problem.id, problem.domain, None, status, method, checked=checked, reason=reason)


def _repaired(problem: ConstraintProblem, found: Validation, seed: int, limits: SolverLimits | None) -> Finding:
    """Return the finding on the repair of a problem's program that is broken in one to three ways."""
    if not found.valid:
        return Status.UNKNOWN, NOTHING_SAID, "the program itself is not valid"
    count = Random(f"{seed}:{problem.id}:ways").randint(1, MOST_WAYS)
    broken = break_program(problem.program, count, f"{seed}:{problem.id}")
    if broken is None:
        return Status.UNKNOWN, NOTHING_SAID, f"fewer than {count} ways apply"
    repaired, ways = repair(broken.program), ", ".join(broken.ways)
    if repaired.faults_left:
        return Status.UNKNOWN, "repair", f"{ways}: left with {repaired.faults_left[0].message}"
    same = equivalent(problem.program, repaired.program, limits)
    if same.status is Status.REFUTED and not repaired.certain:
        return Status.UNKNOWN, "repair", f"{ways}: means something else, and says it may"
    return same.status, same.method, f"{ways}: {same.reason or 'means something else'}"


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


@dataclass(slots=True)
class SmtRun(StageRun):
    """The constraint problems of one run by id."""

    stage = SMT
    no_claim = frozenset({NOTHING_SAID})

    problems: dict[str, ConstraintProblem]

    @classmethod
    def open(cls, inputs: SessionInputs) -> Self:
        """Open the stage of a session's run; a file of problems that cannot be read, or holds none, raises a `HarnessError`."""
        settings = inputs.settings
        if settings.smt_problems:
            found = read_constraint_problems([Path(path) for path in settings.smt_problems])
        else:
            count, seed = settings.smt_count, settings.smt_seed
            found = [own for domain in DOMAINS for own in domain.problems(count, seed=seed, size=ProblemSize.SMALL)]
        return cls(inputs, StageClaims.open(inputs, SMT), {own.id: own for own in sorted(found, key=attrgetter("id"))})

    def claims_of(self, problem_id: str, lines: Iterable[Key] = ()) -> Iterator[Key]:  # noqa: ARG002  # as the base class has it
        """Yield the keys of a problem's claims."""
        return ((claim, problem_id, self.problems[problem_id].domain, "") for claim in CLAIMS)

    @property
    def nothing(self) -> str | None:
        """Return what to tell a user who asks for no problem."""
        return "no constraint problem to judge: --harness-smt-count is 0 and --harness-smt-problems names none"

    def problem_ids(self) -> list[str]:
        """Return the ids of the constraint problems, sorted."""
        return sorted(self.problems)

    def part(self, problem_ids: Sequence[str]) -> Self:
        """Return the stage of some constraint problems."""
        return type(self)(self.inputs.part(()), self.claims.part(), {name: self.problems[name] for name in problem_ids})

    def verdict(self, key: Key) -> Verdict:
        """Judge the claim of a key."""
        return judged(key[0], self.problems[key[1]], self.inputs.settings.smt_seed)

    def count(self, verdict: Record, counts: StageCounts) -> None:
        """Count a verdict by domain and claim."""
        outcome = NOTHING_SAID if verdict["method"] == NOTHING_SAID else verdict["status"]
        counts.add(f"{verdict['left']} {verdict['claim']}", outcome)

    def files(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:  # noqa: ARG002  # as the base class has it
        """Return the problems, and the clauses of those in plain language beside their assertions."""
        alignments = (aligned(name, problem.problem, problem.program) for name, problem in self.problems.items())
        return {
            "problems.jsonl": map(json_form, self.problems.values()),
            ALIGNMENT: (record for record in alignments if record is not None),
        }

    def details(self, claims: int, counts: StageCounts) -> Record:  # noqa: ARG002  # as the base class has it
        """Return the settings that the problems come from, and the counts."""
        settings = self.inputs.settings
        given = {
            "count": settings.smt_count,
            "seed": settings.smt_seed,
            "problems": [Path(problem).name for problem in settings.smt_problems],
        }
        return {"smt": given, "counts": counts.tables()}
