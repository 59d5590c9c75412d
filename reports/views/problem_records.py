"""The records of the formalization stage problem by problem, read side by side from files that have the problems in one order."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Self

from harness.domain import Problem, Verdict
from harness.records.formalization import ConsensusRecord, ProgramRecord
from reports.views.artefacts import ReportError, SealedStage, require_problem


@dataclass(frozen=True, slots=True)
class ProblemRecords:
    """A problem with its programs, the verdicts on them and its consensus, each in the order of its file."""

    problem: Problem
    programs: list[ProgramRecord]
    verdicts: list[Verdict]
    consensus: ConsensusRecord | None


@dataclass(slots=True)
class _ProblemGroups:
    """The records of a file, of which those of one problem stand together."""

    name: str
    groups: Iterator[tuple[str, Iterator[Any]]]
    waiting: tuple[str, Iterator[Any]] | None = None

    @classmethod
    def of(cls, name: str, records: Iterator[Any]) -> Self:
        groups = itertools.groupby(records, attrgetter("problem_id"))
        return cls(name, groups, next(groups, None))

    def take(self, problem_id: str) -> list[Any]:
        """Return the records of a problem, where they are the next ones."""
        if self.waiting is None or self.waiting[0] != problem_id:
            return []
        records = list(self.waiting[1])
        self.waiting = next(self.groups, None)
        return records


def problem_records(stage: SealedStage) -> Iterator[ProblemRecords]:
    """Yield the problems in the order of their file.

    Raises:
        ReportError: a record names a problem that `problems.jsonl` lacks, or the problems of two files are in another order.
    """
    programs = _ProblemGroups.of("programs.jsonl", stage.programs())
    verdicts = _ProblemGroups.of("verdicts.jsonl", stage.verdicts())
    consensus = _ProblemGroups.of("consensus.jsonl", stage.consensus())
    seen = {}
    for problem in stage.problems():
        name = problem.problem_id
        seen[name] = True
        yield ProblemRecords(problem, programs.take(name), verdicts.take(name), next(iter(consensus.take(name)), None))
    for file in (programs, verdicts, consensus):
        if file.waiting is not None:
            require_problem(seen, file.waiting[0], file.name)
            raise ReportError(
                f"{stage.folder / file.name}: expected the problems in the order of problems.jsonl, found {file.waiting[0]} elsewhere; run the stage again in a new folder"
            )
