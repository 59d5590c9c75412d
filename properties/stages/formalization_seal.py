"""The sealing of the formalization stage, problem by problem: what is agreed on each waits on disk until the last problem is done."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.domain import Verdict
from harness.json_form import json_form, read_record
from harness.store.spool import Spool
from oracles.consensus.probability.oracle_probability import (
    AnswerAssessment,
    calibration_records,
    gold_doubts,
    probabilities,
)
from properties.stages.program_records import oracle_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from harness.records.formalization import ConsensusRecord, ProgramRecord
    from properties.engine.inputs import SessionInputs
    from properties.engine.stage_run import Key, StageClaims
    from properties.stages.run_consensus import RunConsensus


@dataclass(frozen=True, slots=True)
class AgreedProblem:
    """The results of a problem before the last problem is done; the program is that of its oracle."""

    record: ConsensusRecord
    assessment: AnswerAssessment | None
    program: ProgramRecord | None


@dataclass(frozen=True, slots=True)
class SpooledAssessments:
    """The assessments in a spool, each after its problem; they are read again each time that they are iterated."""

    spool: Spool[AgreedProblem]

    def __iter__(self) -> Iterator[tuple[str, AnswerAssessment]]:
        return ((own.record.problem_id, own.assessment) for own in self.spool if own.assessment is not None)


@dataclass(frozen=True, slots=True)
class FormalizationSeal:
    """Seals the stage of a run: `claims_of` gives the keys of a problem's claims from its lines; `release` frees the data of a finished problem."""

    inputs: SessionInputs
    claims: StageClaims
    consensus: RunConsensus
    claims_of: Callable[[str, Iterable[Key]], Iterable[Key]]
    release: Callable[[], None]

    def seal(self, problem_ids: list[str]) -> None:
        """Seal the programs, the verdicts, the consensus on each problem and the oracles."""
        self.claims.stage.scratch.mkdir(parents=True, exist_ok=True)
        agreed, judged = Spool[AgreedProblem](self.claims.stage.scratch), []
        counts: Counter[str] = Counter()
        oracles = 0
        for problem_id in problem_ids:
            verdicts = [read_record(Verdict, json.loads(line)) for line in self._lines(problem_id)]
            if not verdicts:
                continue
            judged.append(problem_id)
            counts.update(f"{verdict.claim} {verdict.status.name}" for verdict in verdicts)
            programs = self.consensus.programs(problem_id)
            if programs:
                record = self.consensus.record(problem_id, verdicts)
                program = None if record.oracle is None else programs[record.oracle]
                agreed.append(AgreedProblem(record, self.consensus.assessment(problem_id, verdicts), program))
                oracles += program is not None
            self.release()
        manifest = self.inputs.manifest()
        beside = self.inputs.run.stage("oracles")
        assessments = SpooledAssessments(agreed)
        probability, doubts = probabilities(assessments), gold_doubts(assessments)

        def finished() -> Iterator[tuple[ConsensusRecord, ProgramRecord | None]]:
            for own in agreed:
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

        beside.seal({"oracles.jsonl": oracle_records()}, {**manifest, "counts": {"oracles": oracles}})
        self.claims.stage.seal(
            {
                "problems.jsonl": map(self.inputs.problem_record, judged),
                "programs.jsonl": (
                    json_form(record) for name in judged for record in self.consensus.programs(name).values()
                ),
                "verdicts.jsonl": (line for name in judged for line in self._lines(name)),
                "consensus.jsonl": (json_form(record) for record, _ in finished()),
                "oracles.jsonl": oracle_records(),
                "calibration.jsonl": map(json_form, calibration_records(assessments, probability)),
                "models.jsonl": map(json_form, self.consensus.models()),
            },
            {**manifest, "counts": {**dict(sorted(counts.items())), "problems": len(agreed), "oracles": oracles}},
        )

    def _lines(self, problem_id: str) -> list[str]:
        """Return the verdicts on a problem, sorted, as JSON lines."""
        lines = self.claims.lines_of(problem_id)
        return [lines[key] for key in sorted(self.claims_of(problem_id, lines))]
