"""The re-check of data sets of diagnosed solutions: labels are made again by the oracles that they hold, and rows from their samples."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from harness.answers.gold_answer import match_gold, read_gold
from harness.corpora.problems import read_records
from harness.corpora.record_layouts import no_record
from harness.domain import Status
from harness.json_form import LONGEST_NAME, MalformedRecordError
from harness.solution.labels import TypeNames
from harness.store.run_folder import sha256_of
from harness.text.characters import one_line, quoted
from oracles.proofs.record_check import RecordResult
from properties.recheck.reference_records import CorpusProblems
from sft.datasets.command import dataset_code
from sft.datasets.diagnosis_samples import checked_label, differing_field, stated_facts
from sft.datasets.levels import LabelForm, Level, LevelForm
from sft.datasets.output import MANIFEST, SOLUTIONS, STEPWISE
from sft.datasets.rows import Row, rendered_sample, row_of, stepwise_row
from sft.datasets.selection import DatasetPlan
from sft.diagnosis.oracle_sources import OracleSource, oracle_of_facts
from sft.samples.items import Sample, Trust
from sft.samples.solution_text import read_item

LEVEL = "level-"


@dataclass(frozen=True, slots=True)
class DatasetRecheck:
    """Judges the records of a file of samples, or of `rows`: the level, or `stepwise`, whose `samples` are those of the `folder`; `oracles` are those of a run."""

    path: Path
    folder: Path
    rows: str
    corpus: CorpusProblems | None
    oracles: OracleSource | None
    manifest: dict[str, Any] = field(default_factory=dict)
    samples: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, str | None] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path, corpus: CorpusProblems | None, oracles: OracleSource | None) -> Self | None:
        """Return the re-check of a file whose first record is of a data set, `None` for other files; one that cannot be read raises a `HarnessError`."""
        _, first = next(read_records(path), (0, None))
        if not isinstance(first, dict) or "sample_id" not in first:
            return None
        path = path.resolve()
        inner = path.parent.name
        rows = inner if inner == STEPWISE else inner.removeprefix(LEVEL) if inner.startswith(LEVEL) else ""
        made = cls(path, path.parent.parent if rows else path.parent, rows, corpus, oracles)
        with contextlib.suppress(OSError, ValueError, TypeError):
            made.manifest.update(json.loads((made.folder / MANIFEST).read_text(encoding="utf-8")))
        for file in made.folder.glob(f"{SOLUTIONS}-*.jsonl") if rows else ():
            made.samples.update(
                (str(own.get("sample_id")), own) for _, own in read_records(file) if isinstance(own, dict)
            )
        return made

    def results(self) -> Iterator[RecordResult]:
        """Yield the judgement of the file, where it is not that of the manifest, and of each record."""
        name = str(self.path.relative_to(self.folder))
        if self.manifest and self.manifest.get("files", {}).get(name, {}).get("sha256") != sha256_of(self.path):
            reason = f"{MANIFEST}: the SHA-256 of {name} is another: the file was changed after it was sealed"
            yield RecordResult(0, name[:LONGEST_NAME], "file", Status.REFUTED, reason)
        seen: set[str] = set()
        for place, record in read_records(self.path):
            if not isinstance(record, dict):
                yield RecordResult(place, "?", "?", Status.REFUTED, no_record(record))
                continue
            claim = f"{self.rows or 'sample'} {one_line(str(record.get('strength') or ''), limit=20)}".strip()
            name = str(record.get("sample_id"))
            form = self.samples.get(name) if self.rows else record
            status, reason = Status.UNKNOWN, "its sample is not in the folder above it"
            if form is not None:
                try:
                    sample = Sample.of_record(form)
                    claim = claim if self.rows else f"sample {sample.strength}"
                    status, reason = self._status_and_reason(sample, record, again=name in seen)
                except MalformedRecordError as error:
                    status = Status.REFUTED
                    reason = (
                        f"malformed record: {one_line(error.field, limit=80)}: {one_line(error.expected, limit=150)}"
                    )
            if status is Status.REFUTED and self.manifest.get("code") not in {None, dataset_code()}:
                reason = f"{reason}; the data set was made by another version, make it again"
            seen.add(name)
            problem_id = str(record.get("problem_id"))[:LONGEST_NAME]
            yield RecordResult(place, problem_id, claim[:LONGEST_NAME], status, reason or None)

    def _status_and_reason(self, sample: Sample, record: dict[str, Any], *, again: bool) -> tuple[Status, str]:
        """Return the status of a record with its sample, and why it is not confirmed; the label of a sample is made once."""
        if sample.diagnosis is None and sample.trust is not Trust.DIAGNOSED:
            return Status.UNKNOWN, "its label is of no oracle: recheck the run that it is from"
        if again:
            return Status.REFUTED, f"sample_id: expected an id of its own, found {quoted(sample.sample_id)} again"
        if sample.sample_id not in self.labels:
            self.labels[sample.sample_id] = checked_label(sample) or self._source_problem(sample)
        found = self.labels[sample.sample_id]
        if not found:
            made = self._dataset_row(sample) if self.rows else sample.record()
            # Samples of earlier versions lack fields.
            given = record if self.rows else {name: record.get(name, value) for name, value in sample.record().items()}
            found = differing_field(given, made) if made else "its sample gives no such row"
        return (Status.REFUTED, found) if found else (Status.CONFIRMED, "")

    def _source_problem(self, sample: Sample) -> str | None:
        """Return what of an oracle is not that of the run or of the corpus."""
        facts = stated_facts(sample)
        run = None if facts.solution else self.oracles
        if run is not None and run.facts_of(read_item(sample.question, "")) != facts:
            return "diagnosis.oracle: expected that of the run"
        if self.corpus is None:
            return None
        if found := self.corpus.problem({"problem_id": sample.problem_id, "question": sample.question}):
            return found
        gold = read_gold(self.corpus.problems[sample.problem_id].gold or "")
        oracle = oracle_of_facts(sample.question, facts)
        if gold is None or oracle is None or match_gold(oracle.answer, gold).reached:
            return None
        return f"diagnosis.oracle: expected the answer {gold.value} of the corpus, found {quoted(str(oracle.answer))}"

    def _dataset_row(self, sample: Sample) -> Row | None:
        """Return the row that a sample gives, `None` if it gives none."""
        if self.rows == STEPWISE:
            return stepwise_row(sample)
        rendered = rendered_sample(sample, DatasetPlan(seed=int(self.manifest.get("seed", 0))).form(sample))
        labels = LabelForm(self.manifest.get("labels", LabelForm.WORDS))
        names = TypeNames(self.manifest.get("type_names", TypeNames.OWN))
        asked = LevelForm(Level(self.rows), labels, names)
        return None if rendered is None else row_of(asked, sample, rendered)
