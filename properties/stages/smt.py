"""The constraint stage of a run: generated or given problems, the verdict on each claim, and the sealed records."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from harness.json_form import json_form
from harness.smtlib.constraint_problem import NOTHING_SAID
from harness.stages import SMT
from oracles.constraints.row_files import ALIGNMENT, aligned
from oracles.constraints.rows import read_constraint_problems
from properties.constraints.claims import CLAIMS, ProblemJudge
from properties.engine.stage_run import Key, StageClaims, WholeStageRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.domain import Verdict
    from harness.smtlib.constraint_problem import ConstraintProblem
    from properties.engine.inputs import SessionInputs


@dataclass(slots=True)
class SmtRun(WholeStageRun):
    """The constraint problems of one run by id."""

    no_claim = frozenset({NOTHING_SAID})

    problems: dict[str, ConstraintProblem]
    judging: ProblemJudge

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        for problem_id, problem in self.problems.items():
            for claim in CLAIMS:
                yield (claim, problem_id, problem.domain, "")

    @property
    def nothing(self) -> str | None:
        """Return what to tell a user who asks for no problem."""
        return "no constraint problem to judge: --harness-smt-count is 0 and --harness-smt-problems names none"

    def problem_ids(self) -> list[str]:
        """Return the ids of the constraint problems, sorted."""
        return sorted(self.problems)

    def part(self, problem_ids: Sequence[str]) -> SmtRun:
        """Return the stage of some constraint problems, with solvers of its own."""
        problems = {name: self.problems[name] for name in problem_ids}
        judging = ProblemJudge(self.inputs.settings.smt_seed)
        return SmtRun(self.inputs.part(()), self.claims.part(), problems, judging)

    def verdict(self, key: Key) -> Verdict:
        """Judge the claim of a key."""
        return self.judging.judge(key[0], self.problems[key[1]])

    def close(self) -> None:
        """End the processes of the solvers."""
        self.judging.close()

    def seal(self, expected: list[Key], lines: dict[Key, str]) -> None:
        """Seal the problems and the verdicts, counted by domain and claim."""
        counts: dict[str, Counter[str]] = {}
        for key in expected:
            verdict = json.loads(lines[key])
            said = NOTHING_SAID if verdict["method"] == NOTHING_SAID else verdict["status"]
            counts.setdefault(f"{verdict['left']} {verdict['claim']}", Counter())[said] += 1
        settings = self.inputs.settings
        given = {
            "count": settings.smt_count,
            "seed": settings.smt_seed,
            "problems": [Path(problem).name for problem in settings.smt_problems],
        }
        files: dict[str, Iterable[dict[str, Any] | str]] = {
            "problems.jsonl": (json_form(problem) for problem in self.problems.values()),
            "verdicts.jsonl": (lines[key] for key in expected),
            ALIGNMENT: (
                record
                for name, problem in self.problems.items()
                if (record := aligned(name, problem.problem, problem.program)) is not None
            ),
        }
        manifest = {
            **self.inputs.manifest(),
            "smt": given,
            "counts": {name: dict(sorted(counter.items())) for name, counter in sorted(counts.items())},
        }
        self.claims.stage.seal(files, manifest)


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
