"""The label stage of a run: one claim for each solution, labelled or not, and the sealed records in doubt."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from harness.corpora.labelled_solutions import LabelledSolution, RejectedRecord, label_files, read_labelled
from harness.domain import Verdict
from harness.json_form import json_form, read_record
from harness.records.label import AuditedLabel, FlaggedRecord, FlaggedSolution
from harness.stages import LABEL
from oracles.labels.audit.label_verdict import CLAIM, audit
from properties.engine.inputs import SessionInputs
from properties.engine.stage_run import Key, Record, StageClaims, StageCounts, StageRun
from properties.stages.solution_claims import SOLUTION, SolutionClaim, solution_claims
from sft.constraints.stages import digest

StageSolution = LabelledSolution | SolutionClaim | RejectedRecord


@dataclass(slots=True)
class LabelRun(StageRun):
    """The solutions of one run by problem and name."""

    records: dict[str, dict[str, StageSolution]]
    _flagged: list[FlaggedRecord] = field(default_factory=list)

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
        return replace(self, inputs=self.inputs.part(problem_ids), claims=self.claims.part(), records=records)

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
        if isinstance(record, SolutionClaim):
            return record.record(verdict, file)
        flagged: dict[str, Any] = {
            "problem_id": verdict.problem_id,
            "left": verdict.left,
            "status": verdict.status,
            "reason": verdict.reason,
            "file": file,
            "findings": verdict.findings,
        }
        if isinstance(record, RejectedRecord):
            return FlaggedRecord(**flagged)
        stated, worked = record.stated, record.worked
        return FlaggedSolution(
            **flagged,
            label=AuditedLabel(stated.said, stated.error_type, stated.line, stated.explanation),
            lines=worked.lines,
            answer=worked.answer,
            before=worked.before,
        )


def open_run(inputs: SessionInputs) -> LabelRun:
    """Open the label stage of a session's run.

    Raises:
        HarnessError: a file of solutions cannot be read, or none of them holds a record.
    """
    return LabelRun(inputs, StageClaims.open(inputs, LABEL), _records(inputs))


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
