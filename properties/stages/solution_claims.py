"""The claims of the label stage about solutions without labels: each is right, by the programs or the worked solution of its problem."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from harness.corpora.field_roles import FieldNames, Role, read_fields
from harness.corpora.labelled_solutions import LONGEST_TEXT, RejectedRecord, label_files
from harness.corpora.problems import read_records
from harness.corpora.record_layouts import no_record
from harness.domain import Evidence, Status, Verdict
from harness.records.label import DiagnosedSolution
from harness.solution.labels import FINAL_ANSWER
from harness.stages import FORMALIZATION
from properties.engine.inputs import SessionInputs
from sft.diagnosis.oracle_sources import OracleSource
from sft.diagnosis.step_comparison import side_by_side
from sft.samples.items import Item
from sft.samples.solution_text import read_item

SOLUTION = "solution"
METHOD = "oracle"
UNTYPED = "wrong_step"
"""The cause of an error of no known type."""


@dataclass(frozen=True, slots=True)
class SolutionClaim:
    """A solution of a problem, and where the oracle of the problem comes from."""

    name: str
    problem_id: str | None
    item: Item
    source: OracleSource

    def verdict(self, problem_id: str) -> Verdict:
        """Return the verdict: refuted with the first wrong line and the witness, unknown with the reason."""
        own = self.source.diagnosis(self.item)
        status = Status.CONFIRMED if own.status.is_right else Status.REFUTED if own.status.is_wrong else Status.UNKNOWN
        reason, findings = None, tuple[Evidence, ...]()
        if status is Status.REFUTED:
            found, expected = own.found or "no step of the right way", own.correction or own.expected
            line = own.line or FINAL_ANSWER
            reason = f"{own.status}: {line} states {found}{f', expected {expected}' if expected else ''}"
            findings = (Evidence(line, str(own.error_type or UNTYPED), found, expected),)
        elif status is Status.UNKNOWN:
            reason = f"not judged: {own.reason}"
        return Verdict(
            SOLUTION,
            problem_id,
            self.name,
            None,
            status,
            METHOD,
            reason=reason,
            counterexample=own.witness,
            findings=findings,
        )

    def record(self, verdict: Verdict, file: str) -> DiagnosedSolution:
        """Return the solution beside the oracle, for a reader of the report."""
        own, oracle = self.source.diagnosis(self.item), self.source.oracle_of(self.item)
        proof = own.certificate
        return DiagnosedSolution(
            problem_id=verdict.problem_id,
            left=verdict.left,
            status=verdict.status,
            reason=verdict.reason,
            file=file,
            findings=verdict.findings,
            question=self.item.question,
            correction=own.correction,
            certificate="" if proof is None else proof.program,
            written="" if proof is None else proof.written,
            witness=own.witness,
            rows=() if oracle is None else side_by_side(self.item, oracle, own.line),
        )


def solution_claims(inputs: SessionInputs) -> Iterator[SolutionClaim | RejectedRecord]:
    """Yield the solutions of a session's files, each judged by the programs of the run where these are sealed, else by the worked solution of its record or of the corpus.

    Raises:
        HarnessError: a file cannot be read, or the run was changed.
    """
    sealed = inputs.run.stage(FORMALIZATION).sealed
    source = OracleSource.of_run(inputs.run.folder) if sealed else OracleSource()
    by_question = {problem.question: problem.problem_id for problem in inputs.problems.values()}
    for path, stem in label_files([Path(path) for path in inputs.settings.solutions]).items():
        for place, (_, record) in enumerate(read_records(path)):
            name = f"{stem}#{place}"
            if not isinstance(record, dict):
                yield RejectedRecord(name, None, f"malformed-record: {no_record(record)}")
                continue
            fields = read_fields(record, FieldNames())
            problem_id = by_question.get(fields.question) or fields.identifier or None
            problem = inputs.problems.get(problem_id) if problem_id is not None else None
            missing = (
                fields.missing(Role.SOLUTION) if problem is not None else fields.missing(Role.QUESTION, Role.SOLUTION)
            )
            if missing:
                yield RejectedRecord(name, problem_id, f"malformed-record: {missing.partition(';')[0]}")
                continue
            question = fields.question or (problem.question if problem is not None else "")
            worked = fields.reference
            if not worked and problem is not None and problem.solution and problem.gold is not None:
                worked = f"{problem.solution}\n#### {problem.gold}"
            item = replace(read_item(question, fields.solution), reference=worked[:LONGEST_TEXT])
            yield SolutionClaim(name, problem_id, item, source)
