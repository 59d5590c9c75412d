"""The records of the formalization stage problem by problem, read from their files: memory holds where they stand."""

from __future__ import annotations

import json
from array import array
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.domain import Problem, Verdict
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.store.spool import grouped_places
from reports.views.artefacts import require_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.json_form import RecordClass
    from reports.views.artefacts import SealedStage

PROBLEMS, PROGRAMS, VERDICTS, CONSENSUS = "problems.jsonl", "programs.jsonl", "verdicts.jsonl", "consensus.jsonl"


@dataclass(frozen=True, slots=True)
class ProblemRecords:
    """A problem with its programs, the verdicts on them and its consensus, each in the order of its file."""

    problem: Problem
    programs: list[ProgramRecord]
    verdicts: list[Verdict]
    consensus: ConsensusRecord | None


@dataclass(slots=True)
class RecordIndex:
    """Where the records of each problem stand in the files of a stage; `problem_ids` has the place of each problem."""

    stage: SealedStage
    problem_ids: dict[str, int]
    _lines: dict[str, tuple[array[int], array[int]]]

    @classmethod
    def open(cls, stage: SealedStage) -> RecordIndex:
        """Return the index of a stage.

        Raises:
            ReportError: a record names a problem that `problems.jsonl` lacks.
        """
        index = cls(stage, {}, {})
        for name in (PROBLEMS, PROGRAMS, VERDICTS, CONSENSUS):
            starts, places = array("Q"), array("L")
            for _, start, form in stage.placed_forms(name):
                if name == PROBLEMS:
                    index.problem_ids.setdefault(form["problem_id"], len(index.problem_ids))
                starts.append(start)
                places.append(require_problem(index.problem_ids, form["problem_id"], name))
            order, firsts = grouped_places(places, len(index.problem_ids))
            index._lines[name] = array("Q", (starts[number] for number in order)), firsts
        return index

    def records(self) -> Iterator[ProblemRecords]:
        """Yield the problems in the order of their file."""
        with ExitStack() as files:
            streams = {name: files.enter_context((self.stage.folder / name).open("rb")) for name in self._lines}

            def of(record_class: type[RecordClass], name: str, place: int) -> Iterator[RecordClass]:
                starts, firsts = self._lines[name]
                for start in starts[firsts[place] : firsts[place + 1]]:
                    streams[name].seek(start)
                    yield self.stage.record(record_class, json.loads(streams[name].readline()), name)

            for place in range(len(self.problem_ids)):
                yield ProblemRecords(
                    next(of(Problem, PROBLEMS, place)),
                    list(of(ProgramRecord, PROGRAMS, place)),
                    list(of(Verdict, VERDICTS, place)),
                    next(of(ConsensusRecord, CONSENSUS, place), None),
                )
