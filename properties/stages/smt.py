"""The constraint stage of a run: generated or given problems, the verdict on each claim, and the sealed records."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from harness.domain import Verdict
from harness.json_form import json_form
from harness.records.constraint import NOTHING_SAID, ConstraintProblem
from harness.stages import SMT
from oracles.constraints.rows import ALIGNMENT, aligned, read_constraint_problems
from properties.constraints.claims import CLAIMS, ProblemJudge
from properties.engine.inputs import SessionInputs
from properties.engine.stage_run import Key, Record, StageClaims, StageCounts, StageRun


@dataclass(slots=True)
class SmtRun(StageRun):
    """The constraint problems of one run by id."""

    no_claim = frozenset({NOTHING_SAID})

    problems: dict[str, ConstraintProblem]
    judging: ProblemJudge

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
        """Return the stage of some constraint problems, with solvers of its own."""
        problems = {name: self.problems[name] for name in problem_ids}
        judging = ProblemJudge(self.inputs.settings.smt_seed)
        return type(self)(self.inputs.part(()), self.claims.part(), problems, judging)

    def verdict(self, key: Key) -> Verdict:
        """Judge the claim of a key."""
        return self.judging.judge(key[0], self.problems[key[1]])

    def close(self) -> None:
        """End the processes of the solvers."""
        self.judging.close()

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


def open_run(inputs: SessionInputs) -> SmtRun:
    """Open the stage of a session's run.

    Raises:
        HarnessError: a file of problems cannot be read, or holds none.
    """
    settings = inputs.settings
    if settings.smt_problems:
        found = read_constraint_problems([Path(path) for path in settings.smt_problems])
    else:
        found = [
            problem
            for domain in DOMAINS
            for problem in domain.problems(settings.smt_count, seed=settings.smt_seed, size=ProblemSize.SMALL)
        ]
    problems = {problem.id: problem for problem in sorted(found, key=lambda made: made.id)}
    return SmtRun(inputs, StageClaims.open(inputs, SMT), problems, ProblemJudge(settings.smt_seed))
