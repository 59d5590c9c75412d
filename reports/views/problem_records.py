"""The records of the formalization stage problem by problem, read from their files: memory holds where they stand."""

from __future__ import annotations

import json
from array import array
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.domain import Problem, Verdict
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.store.spool import grouped_places
from reports.views.artefacts import require_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from harness.json_form import RecordClass
    from reports.views.artefacts import SealedStage


@dataclass(frozen=True, slots=True)
class ProblemRecords:
    """A problem with its programs, the verdicts on them and its consensus, each in the order of its file."""

    problem: Problem
    programs: list[ProgramRecord]
    verdicts: list[Verdict]
    consensus: ConsensusRecord | None


@dataclass(slots=True)
class RecordIndex:
    """Where the records of each problem stand in a stage.

    `problem_ids` has the place of each problem. Read the programs and verdicts once in the order of their files, by `forms`, before
    `records` yields the problems.
    """

    stage: SealedStage
    problem_ids: dict[str, int]
    _lines: dict[str, tuple[array[int], array[int]]]

    @classmethod
    def open(cls, stage: SealedStage) -> RecordIndex:
        """Return the index of a stage's problems."""
        problem_ids: dict[str, int] = {}
        index = cls(stage, problem_ids, {})
        for form in index._forms("problems.jsonl", None):
            problem_ids.setdefault(form["problem_id"], len(problem_ids))
        return index

    def read(self, *names: str) -> None:
        """Read files; errors as in `forms`."""
        for name in names:
            for _ in self.forms(name):
                pass

    def forms(self, name: str) -> Iterator[Mapping[str, Any]]:
        """Yield the records of a file as they stand there, and keep where they do.

        Raises:
            ReportError: one names a problem that `problems.jsonl` lacks.
        """
        return self._forms(name, self.problem_ids)

    def _forms(self, name: str, problem_ids: Mapping[str, int] | None) -> Iterator[Mapping[str, Any]]:
        starts, places = array("Q"), array("L")
        for start, form in self.stage.placed_forms(name):
            starts.append(start)
            own = len(places) if problem_ids is None else require_problem(problem_ids, form["problem_id"], name)
            places.append(own)
            yield form
        order, firsts = grouped_places(places, len(places) if problem_ids is None else len(problem_ids))
        self._lines[name] = array("Q", (starts[number] for number in order)), firsts

    def records(self) -> Iterator[ProblemRecords]:
        """Yield the problems in the order of their file, with all that `forms` has passed."""
        with ExitStack() as files:
            streams = {name: files.enter_context((self.stage.folder / name).open("rb")) for name in self._lines}

            def of(record_class: type[RecordClass], name: str, place: int) -> list[RecordClass]:
                if name not in self._lines:
                    return []
                starts, firsts = self._lines[name]
                lines = (_line(streams[name], start) for start in starts[firsts[place] : firsts[place + 1]])
                return [self.stage.record(record_class, json.loads(line), name) for line in lines]

            for place in range(len(self.problem_ids)):
                yield ProblemRecords(
                    of(Problem, "problems.jsonl", place)[0],
                    of(ProgramRecord, "programs.jsonl", place),
                    of(Verdict, "verdicts.jsonl", place),
                    next(iter(of(ConsensusRecord, "consensus.jsonl", place)), None),
                )


def _line(stream: BinaryIO, start: int) -> bytes:
    stream.seek(start)
    return stream.readline()
