"""The label stage of a run: one claim for each solution, labelled or not, and the sealed records in doubt."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self

from harness.corpora.field_roles import FieldNames, Role, read_fields
from harness.corpora.labelled_solutions import (
    LONGEST_TEXT,
    LabelledSolution,
    RejectedRecord,
    label_files,
    read_labelled,
)
from harness.corpora.problems import read_records
from harness.corpora.record_layouts import no_record
from harness.domain import Evidence, Status, Verdict
from harness.json_form import json_form, read_record
from harness.records.label import AuditedLabel, DiagnosedSolution, FlaggedRecord, FlaggedSolution
from harness.solution.labels import FINAL_ANSWER
from harness.stages import FORMALIZATION, LABEL
from oracles.labels.audit.label_verdict import CLAIM, audit
from properties.engine.inputs import SessionInputs
from properties.engine.stage_run import Key, Record, StageClaims, StageCounts, StageRun
from sft.constraints.stages import digest
from sft.diagnosis.oracle_sources import OracleSource
from sft.diagnosis.step_comparison import side_by_side
from sft.samples.items import Item
from sft.samples.solution_text import read_item

SOLUTION = "solution"
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
        verdict = partial(Verdict, SOLUTION, problem_id, self.name, None, status, "oracle")
        return verdict(reason=reason, counterexample=own.witness, findings=findings)

    def record(self, flagged: Record) -> DiagnosedSolution:
        """Return the solution beside the oracle, for a reader of the report; `flagged` are the fields of all records in doubt."""
        own, oracle = self.source.diagnosis(self.item), self.source.oracle_of(self.item)
        proof = own.certificate
        rows = () if oracle is None else side_by_side(self.item, oracle, own.line)
        program, written = ("", "") if proof is None else (proof.program, proof.written)
        return DiagnosedSolution(
            **flagged,
            question=self.item.question,
            correction=own.correction,
            certificate=program,
            written=written,
            witness=own.witness,
            rows=rows,
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


StageSolution = LabelledSolution | SolutionClaim | RejectedRecord


@dataclass(slots=True)
class LabelRun(StageRun):
    """The solutions of one run by problem and name."""

    stage = LABEL

    records: dict[str, dict[str, StageSolution]]
    _flagged: list[FlaggedRecord] = field(default_factory=list, init=False)

    @classmethod
    def open(cls, inputs: SessionInputs) -> Self:
        """Open the stage of a session's run; a file that cannot be read, or files without a record, raise a `HarnessError`."""
        return cls(inputs, StageClaims.open(inputs, LABEL), _records(inputs))

    def claims_of(self, problem_id: str, lines: Iterable[Key] = ()) -> Iterator[Key]:  # noqa: ARG002  # as the base class has it
        """Yield the keys of the claims about a problem's records."""
        for name, record in sorted(self.records[problem_id].items()):
            yield (SOLUTION if isinstance(record, SolutionClaim) else CLAIM, problem_id, name, "")

    def names(self, key: Key) -> tuple[str, ...]:
        """Return problem, record, and the change to the solution if the record names it."""
        record = self.records[key[1]][key[2]]
        if isinstance(record, SolutionClaim):
            return (key[1], key[2])
        known = record.operator or record.stated.error_type if isinstance(record, LabelledSolution) else "rejected"
        return (key[1], key[2], known or "?")

    @property
    def nothing(self) -> str | None:
        """Return the message to a user who named no labelled solutions, or none for a selected problem."""
        if self.records:
            return None
        if not (self.inputs.settings.labels or self.inputs.settings.solutions):
            return "no labelled solutions to audit; name them: --harness-labels=FILE, JSON lines {problem_id, flawed_solution, label}; or name solutions to judge: --harness-solutions=FILE, {problem_id, solution}"
        return f"no labelled record is about one of the {len(self.inputs.problems)} selected problems; select others by --harness-problems, or leave that option out"

    def problem_ids(self) -> list[str]:
        """Return the ids of the problems that the records name, sorted."""
        return sorted(self.records)

    def part(self, problem_ids: Sequence[str]) -> Self:
        """Return the stage of the records on some problems."""
        records = {problem_id: self.records[problem_id] for problem_id in problem_ids}
        return replace(StageRun.part(self, problem_ids), records=records)

    def verdict(self, key: Key) -> Verdict:
        """Judge the record of a key."""
        _, problem_id, name, _ = key
        record = self.records[problem_id][name]
        if isinstance(record, SolutionClaim):
            return record.verdict(problem_id)
        return audit(record, self.inputs.problems.get(problem_id), problem_id)

    def count(self, verdict: Record, counts: StageCounts) -> None:
        """Count a verdict and the causes of its doubts by file; note its record if it is in doubt."""
        read = read_record(Verdict, verdict)
        file = read.left.rpartition("#")[0]
        counts.add(f"files {file}", read.status.name)
        causes = {str(finding.cause) for finding in read.findings}
        if not causes and read.reason is not None:
            causes = {read.reason.partition(":")[0]}
        for cause in causes:
            counts.add(f"causes {file}", cause)
        if causes:
            self._flagged.append(self._flagged_record(read, file))

    def files(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:  # noqa: ARG002  # as the base class has it
        """Return the records in doubt, which are known when the verdicts are written."""
        return {"flagged.jsonl": (json_form(record) for record in self._flagged)}

    def details(self, claims: int, counts: StageCounts) -> Record:
        """Return the counts by file, and the SHA-256 of each file by the name that its records have here."""
        by_file: dict[str, Record] = {"files": {}, "causes": {}}
        for name, table in counts.tables().items():
            kind, _, file = name.partition(" ")
            by_file[kind][file] = table
            by_file["causes"].setdefault(file, {})
        records = (record for own in self.records.values() for record in own.values())
        rejected = sum(isinstance(record, RejectedRecord) for record in records)
        settings = self.inputs.settings
        files = label_files([Path(path) for path in (*settings.labels, *settings.solutions)])
        return {
            "counts": {"records": claims, "rejected": rejected, **by_file},
            "audited": {name: digest(path) for path, name in files.items()},
        }

    def _flagged_record(self, verdict: Verdict, file: str) -> FlaggedRecord:
        """Return a record in doubt for a reader: its text, its label and the findings against it."""
        record = self.records[verdict.problem_id][verdict.left]
        names = ("problem_id", "left", "status", "reason", "findings")
        flagged = {**{name: getattr(verdict, name) for name in names}, "file": file}
        if isinstance(record, SolutionClaim):
            return record.record(flagged)
        if isinstance(record, RejectedRecord):
            return FlaggedRecord(**flagged)
        stated, worked = record.stated, record.worked
        label = AuditedLabel(stated.said, stated.error_type, stated.line, stated.explanation)
        return FlaggedSolution(**flagged, label=label, lines=worked.lines, answer=worked.answer, before=worked.before)


def _records(inputs: SessionInputs) -> dict[str, dict[str, StageSolution]]:
    """Return the records by problem and name; a record without a problem's id has that of its question.

    Where problems are selected, only the records of those are judged; else also those of problems that the corpus
    lacks, but never those of excluded ones.
    """
    settings = inputs.settings
    excluded = {} if inputs.exclusion is None else inputs.exclusion.problems
    by_question = {problem.question: problem.problem_id for problem in (*excluded.values(), *inputs.problems.values())}
    found: dict[str, dict[str, StageSolution]] = {}
    labelled = read_labelled([Path(path) for path in settings.labels])
    for record in itertools.chain(labelled, solution_claims(inputs)):
        problem_id = record.problem_id
        if problem_id is None and isinstance(record, LabelledSolution) and record.question is not None:
            problem_id = by_question.get(record.question)
        known = problem_id is not None and problem_id in inputs.problems
        if known or not (settings.problems or settings.slice or problem_id in excluded):
            found.setdefault(problem_id or record.name, {})[record.name] = record
    return found
