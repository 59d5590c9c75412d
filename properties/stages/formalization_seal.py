"""The sealing of the formalization stage, problem by problem: the records of each wait on disk until the last problem is done."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from harness.domain import Verdict
from harness.json_form import json_form, read_record
from harness.store.run_folder import dump
from harness.store.spool import Spool
from oracles.consensus.probability.oracle_probability import (
    AnswerAssessment,
    calibration_records,
    gold_doubts,
    probabilities,
)
from properties.stages.program_records import oracle_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from harness.records.formalization import ConsensusRecord, ProgramRecord
    from properties.engine.inputs import SessionInputs
    from properties.engine.stage_run import Key, StageClaims
    from properties.stages.run_consensus import RunConsensus


@dataclass(frozen=True, slots=True)
class _Agreed:
    """The results of a problem before the last problem is done; the program is that of its oracle."""

    record: ConsensusRecord
    assessment: AnswerAssessment | None
    program: ProgramRecord | None


@dataclass(frozen=True, slots=True)
class _Assessments(Mapping[str, AnswerAssessment]):
    """The assessments in a spool by problem; all are read again each time that they are iterated."""

    spool: Spool[_Agreed]
    count: int

    def __iter__(self) -> Iterator[str]:
        return (agreed.record.problem_id for agreed in self.spool if agreed.assessment is not None)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, problem_id: str) -> AnswerAssessment:
        assessment: AnswerAssessment = next(own for name, own in self.items() if name == problem_id)
        return assessment

    def items(self) -> Any:
        """Yield problem and assessment."""
        return ((own.record.problem_id, own.assessment) for own in self.spool if own.assessment is not None)

    def values(self) -> Any:
        """Yield the assessments."""
        return (own.assessment for own in self.spool if own.assessment is not None)


@dataclass(slots=True)
class FormalizationSeal:
    """Seals the stage of a run: `claims_of` gives the keys of a problem's claims from its lines.

    `release` is called when a problem is done, to free its data.
    """

    inputs: SessionInputs
    claims: StageClaims
    consensus: RunConsensus
    claims_of: Callable[[str, Iterable[Key]], Iterable[Key]]
    release: Callable[[], None]
    _counts: Counter[str] = field(default_factory=Counter)

    def seal(self, problem_ids: list[str]) -> None:
        """Seal the programs, the verdicts, the consensus on each problem and the oracles."""
        with ExitStack() as files:

            def opened() -> IO[bytes]:
                return files.enter_context(tempfile.TemporaryFile(dir=self._scratch()))

            spool, programs = Spool[_Agreed](Path(self._scratch())), opened()
            verdicts: dict[str, IO[bytes]] = {}
            assessed = agreed = oracles = 0
            judged = []
            for problem_id in problem_ids:
                lines = self.claims.lines_of(problem_id)
                keys = sorted(self.claims_of(problem_id, lines))
                if not keys:
                    continue
                judged.append(problem_id)
                for key in keys:
                    if key[0] not in verdicts:
                        verdicts[key[0]] = opened()
                    verdicts[key[0]].write(_encoded(lines[key]))
                records = self.consensus.programs(problem_id)
                own = self._agreed(problem_id, [read_record(Verdict, json.loads(lines[key])) for key in keys], records)
                if own is not None:
                    for record in records.values():
                        programs.write(_encoded(dump(json_form(record))))
                    spool.append(own)
                    agreed, assessed = agreed + 1, assessed + (own.assessment is not None)
                    oracles += own.program is not None
                self.release()
            counts = {**dict(sorted(self._counts.items())), "problems": agreed, "oracles": oracles}
            manifest = {**self.inputs.manifest(), "counts": counts}
            streams = [programs, *(stream for _, stream in sorted(verdicts.items()))]
            self._write(_Assessments(spool, assessed), judged, streams, manifest)

    def _scratch(self) -> str:
        self.claims.stage.scratch.mkdir(parents=True, exist_ok=True)
        return str(self.claims.stage.scratch)

    def _agreed(
        self, problem_id: str, verdicts: list[Verdict], programs: Mapping[str, ProgramRecord]
    ) -> _Agreed | None:
        self._counts.update(f"{verdict.claim} {verdict.status.name}" for verdict in verdicts)
        if not programs:
            return None
        record = self.consensus.record(problem_id, verdicts)
        program = None if record.oracle is None else programs[record.oracle]
        return _Agreed(record, self.consensus.assessment(problem_id, verdicts), program)

    def _write(
        self, assessments: _Assessments, judged: list[str], streams: list[IO[bytes]], manifest: dict[str, Any]
    ) -> None:
        """Write the files; `streams` has the lines of the programs, and then of the verdicts of each claim."""
        probability, doubts = probabilities(assessments), gold_doubts(assessments)

        def finished() -> Iterator[tuple[ConsensusRecord, ProgramRecord | None]]:
            for own in assessments.spool:
                record = replace(own.record, gold_doubt=doubts.get(own.record.problem_id))
                chance = probability.get(record.problem_id)
                if record.oracle is not None and chance is not None:
                    record = replace(
                        record,
                        p_right=chance.p_right,
                        p_right_basis=chance.basis,
                        p_right_independent=chance.independent,
                    )
                yield record, own.program

        def oracle_records() -> Iterator[dict[str, Any]]:
            run = self.inputs.fingerprint
            return (json_form(oracle_record(record, own, run=run)) for record, own in finished() if own is not None)

        files: dict[str, Iterable[dict[str, Any] | str]] = {
            "problems.jsonl": map(self.inputs.problem_record, judged),
            "programs.jsonl": _lines(streams[0]),
            "verdicts.jsonl": (line for stream in streams[1:] for line in _lines(stream)),
            "consensus.jsonl": (json_form(record) for record, _ in finished()),
            "oracles.jsonl": oracle_records(),
            "calibration.jsonl": map(json_form, calibration_records(assessments, probability)),
            "models.jsonl": map(json_form, self.consensus.models()),
        }
        beside = self.inputs.run.stage("oracles")
        beside.seal(
            {"oracles.jsonl": oracle_records()}, {**manifest, "counts": {"oracles": manifest["counts"]["oracles"]}}
        )
        self.claims.stage.seal(files, manifest)


def _encoded(line: str) -> bytes:
    return f"{line}\n".encode("utf-8", "backslashreplace")


def _lines(stream: IO[bytes]) -> Iterator[str]:
    stream.seek(0)
    return (line.decode("utf-8", "replace").rstrip("\n") for line in stream)
