"""The label stage of a run: one claim for each labelled solution, and the sealed records in doubt."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import LabelledSolution, RejectedRecord, label_files, read_labelled
from harness.domain import Verdict
from harness.json_form import json_form, read_record
from harness.records.label import AuditedLabel, FlaggedRecord, FlaggedSolution
from harness.stages import LABEL
from oracles.labels.audit.label_verdict import CLAIM, audit, refuse
from properties.engine.stage_run import Key, StageClaims, WholeStageRun
from sft.constraints.stages import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from properties.engine.inputs import SessionInputs

REJECTED = "rejected"


@dataclass(slots=True)
class LabelRun(WholeStageRun):
    """The labelled records of one run by problem and name."""

    records: dict[tuple[str, str], LabelledSolution | RejectedRecord]

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        for problem_id, name in sorted(self.records):
            yield (CLAIM, problem_id, name, "")

    def names(self, key: Key) -> tuple[str, ...]:
        """Return problem, record, and the change to the solution if the record names it."""
        record = self.records[key[1], key[2]]
        known = record.operator or record.stated.error_type if isinstance(record, LabelledSolution) else REJECTED
        return (key[1], key[2], known or "?")

    @property
    def nothing(self) -> str | None:
        """Return the message to a user who named no labelled solutions, or none for a selected problem."""
        if not self.inputs.settings.labels:
            return "no labelled solutions to audit; name them: --harness-labels=FILE, JSON lines {problem_id, flawed_solution, label}"
        return f"no labelled record is about one of the {len(self.inputs.problems)} selected problems; select others by --harness-problems, or leave that option out"

    def problem_ids(self) -> list[str]:
        """Return the ids of the problems that the records name, sorted."""
        return sorted({problem_id for problem_id, _ in self.records})

    def part(self, problem_ids: Sequence[str]) -> LabelRun:
        """Return the stage of the records on some problems."""
        wanted = frozenset(problem_ids)
        records = {key: record for key, record in self.records.items() if key[0] in wanted}
        return replace(self, inputs=self.inputs.part(problem_ids), claims=self.claims.part(), records=records)

    def verdict(self, key: Key) -> Verdict:
        """Judge the record of a key."""
        _, problem_id, name, _ = key
        record = self.records[problem_id, name]
        if isinstance(record, RejectedRecord):
            return refuse(record, problem_id)
        return audit(record, self.inputs.problems.get(problem_id), problem_id)

    def seal(self, expected: list[Key], lines: dict[Key, str]) -> None:
        """Seal the verdicts and the records in doubt, counted by file."""
        verdicts: dict[str, Counter[str]] = {}
        causes: dict[str, Counter[str]] = {}
        flagged: list[FlaggedRecord] = []
        for key in expected:
            verdict = read_record(Verdict, json.loads(lines[key]))
            file = key[2].rpartition("#")[0]
            verdicts.setdefault(file, Counter())[verdict.status.name] += 1
            kinds = {finding.cause for finding in verdict.findings}
            if not kinds and verdict.reason is not None:
                kinds = {verdict.reason.partition(":")[0]}
            causes.setdefault(file, Counter()).update(kinds)
            if kinds:
                flagged.append(self._flagged(verdict, file))
        counts = {
            "records": len(expected),
            "rejected": sum(isinstance(record, RejectedRecord) for record in self.records.values()),
            "files": {file: dict(sorted(found.items())) for file, found in sorted(verdicts.items())},
            "causes": {file: dict(sorted(found.items())) for file, found in sorted(causes.items())},
        }
        files: dict[str, Iterable[dict[str, Any] | str]] = {
            "verdicts.jsonl": (lines[key] for key in expected),
            "flagged.jsonl": map(json_form, flagged),
        }
        manifest = {**self.inputs.manifest(), "counts": counts, "audited": self._audited()}
        self.claims.stage.seal(files, manifest)

    def _audited(self) -> dict[str, str]:
        """Return the SHA-256 of each file of labelled solutions, by the name that its records have here."""
        files = label_files([Path(path) for path in self.inputs.settings.labels])
        return {name: digest(path) for path, name in files.items()}

    def _flagged(self, verdict: Verdict, file: str) -> FlaggedRecord:
        """Return a record in doubt for a reader: its text, its label and the findings against it."""
        record = self.records[verdict.problem_id, verdict.left]
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
        HarnessError: a labelled dataset cannot be read, or none of them holds a record.
    """
    return LabelRun(inputs, StageClaims.open(inputs, LABEL), _records(inputs))


def _records(inputs: SessionInputs) -> dict[tuple[str, str], LabelledSolution | RejectedRecord]:
    """Return the records by problem and name; a record without a problem's id has that of its question.

    Where problems are selected, only the records of those are judged; else also those of problems that the corpus
    lacks, but never those of excluded ones.
    """
    settings = inputs.settings
    excluded = {} if inputs.exclusion is None else inputs.exclusion.problems
    by_question = {problem.question: problem.problem_id for problem in (*excluded.values(), *inputs.problems.values())}
    found: dict[tuple[str, str], LabelledSolution | RejectedRecord] = {}
    for record in read_labelled([Path(path) for path in settings.labels]):
        problem_id = record.problem_id
        if problem_id is None and isinstance(record, LabelledSolution) and record.question is not None:
            problem_id = by_question.get(record.question)
        known = problem_id is not None and problem_id in inputs.problems
        if known or not (settings.problems or settings.slice or problem_id in excluded):
            found[problem_id or record.name, record.name] = record
    return found
