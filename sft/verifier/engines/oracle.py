"""The engine that judges by the oracle of the problem: programs of models that agree, or the worked solution of the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.solution.labels import FINAL_ANSWER, ErrorClass
from sft.diagnosis.decision import diagnose
from sft.diagnosis.diagnosis import Diagnosis, DiagnosisStatus
from sft.diagnosis.oracle_sources import OracleSource
from sft.samples.solution_judgement import Judgement
from sft.verifier.engine_registry import engine
from sft.verifier.unread_lines import beyond_limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Item
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings


@dataclass(frozen=True, slots=True)
class OracleEngine:
    """Diagnoses each solution by the oracle of its problem; without one, it is not judged."""

    source: OracleSource
    name: str = "oracle"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        for item in items:
            reason = beyond_limits(item.unread) or self.source.lacking(item)
            yield (Judgement.unjudged(reason) if reason else judgement_of(diagnose(item, self.source.oracle_of(item))))


def judgement_of(diagnosis: Diagnosis) -> Judgement:
    """Return a diagnosis as a judgement; one that is unknown is not judged."""
    if diagnosis.status is DiagnosisStatus.UNKNOWN:
        return Judgement.unjudged(diagnosis.reason)
    if diagnosis.status.is_right:
        return Judgement(flawed=False, confidence=diagnosis.confidence, diagnosis=diagnosis.record())
    error_type = diagnosis.error_type
    if not diagnosis.line:
        explanation = (
            f"The answer is {diagnosis.found}; the oracle's is {diagnosis.expected}. Which line is wrong is not known."
        )
        return Judgement(
            flawed=True, confidence=diagnosis.confidence, explanation=explanation, diagnosis=diagnosis.record()
        )
    where = "The final answer" if diagnosis.line == FINAL_ANSWER else diagnosis.line
    found = f" states {diagnosis.found}" if diagnosis.found else " is the first line that no right way has"
    expected = f"; the oracle computes {diagnosis.expected} there" if diagnosis.expected else ""
    return Judgement(
        flawed=True,
        confidence=diagnosis.confidence,
        error_class=ErrorClass.CONCEPTUAL if error_type is None else error_type.error_class,
        error_type=error_type,
        line=diagnosis.line,
        explanation=f"{where}{found}{expected}.",
        correction=diagnosis.correction,
        diagnosis=diagnosis.record(),
    )


@engine("oracle", guarded=False)
def open_oracle(settings: EngineSettings) -> Engine:
    """Return the engine with the run of `--oracles`, without it with the references of the records alone.

    Raises:
        HarnessError: the run is not sealed, or was changed later.
    """
    return OracleEngine(OracleSource() if settings.oracles is None else OracleSource.of_run(settings.oracles))
