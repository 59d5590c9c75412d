"""The engine that judges by the oracle of the problem: programs of models that agree, or the worked solution of the record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.solution.labels import FINAL_ANSWER, ErrorClass
from sft.diagnosis.diagnosis import Diagnosis, DiagnosisStatus
from sft.diagnosis.oracle_sources import OracleSource
from sft.samples.items import Item
from sft.samples.solution_judgement import Engine, Judgement
from sft.verifier.engine_registry import EngineSettings, engine


@dataclass(frozen=True, slots=True)
class OracleEngine:
    """Diagnoses each solution by the oracle of its problem; without one, it is not judged."""

    source: OracleSource
    name: str = "oracle"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Return a judgement on each item, in order."""
        return (judgement_of(self.source.diagnosis(item)) for item in items)


def judgement_of(diagnosis: Diagnosis) -> Judgement:
    """Return a diagnosis as a judgement; one that is unknown is not judged."""
    if diagnosis.status is DiagnosisStatus.UNKNOWN:
        return Judgement.unjudged(diagnosis.reason)
    error_type, line = diagnosis.error_type, diagnosis.line
    return Judgement(
        flawed=diagnosis.status.is_wrong,
        confidence=diagnosis.confidence,
        error_class=error_type.error_class if error_type else ErrorClass.CONCEPTUAL if line else None,
        error_type=error_type,
        line=line,
        explanation=_explanation(diagnosis) if diagnosis.status.is_wrong else "",
        correction=diagnosis.correction,
        diagnosis=diagnosis.record(),
    )


def _explanation(diagnosis: Diagnosis) -> str:
    line, found, expected = diagnosis.line, diagnosis.found, diagnosis.expected
    if not line:
        return f"The answer is {found}; the oracle's is {expected}. Which line is wrong is not known."
    where = "The final answer" if line == FINAL_ANSWER else line
    stated = f" states {found}" if found else " is the first line that no right way has"
    return f"{where}{stated}; the oracle computes {expected} there." if expected else f"{where}{stated}."


@engine("oracle", guarded=False)
def open_oracle(settings: EngineSettings) -> Engine:
    """Return the engine with the run of `--oracles`, without it with the references of the records alone.

    Raises `HarnessError` where the run is not sealed, or was changed later.
    """
    return OracleEngine(OracleSource() if settings.oracles is None else OracleSource.of_run(settings.oracles))
