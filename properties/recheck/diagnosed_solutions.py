"""The re-check of data sets of diagnosed solutions: labels are made again by the oracles that they hold, and rows from their samples."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from harness.answers.gold_answer import match_gold, read_gold
from harness.corpora.problems import read_records
from harness.corpora.record_layouts import no_record
from harness.domain import Status
from harness.json_form import LONGEST_NAME, MalformedRecordError, json_form
from harness.text.characters import one_line, quoted
from oracles.proofs.record_check import RecordResult
from properties.recheck.reference_records import CorpusProblems
from sft.datasets.command import dataset_code
from sft.datasets.diagnosed import checked_label, oracle_of_facts, stated_facts
from sft.datasets.levels import LabelForm, Level
from sft.datasets.output import MANIFEST, SOLUTIONS, STEPWISE
from sft.datasets.rows import rendered_sample, row_of, stepwise_row
from sft.datasets.selection import DatasetPlan
from sft.datasets.sources import sha256_of
from sft.diagnosis.oracle_sources import OracleSource
from sft.samples.items import Sample, Trust
from sft.samples.solution_text import read_item

LEVEL = "level-"


@dataclass(slots=True)
class DatasetRecheck:
    """Judges the records of a file of samples or rows; `samples` are those of its folder, of rows alone, `oracles` those of a run."""

    path: Path
    manifest: Mapping[str, Any]
    samples: Mapping[str, Any] = field(default_factory=dict)
    corpus: CorpusProblems | None = None
    oracles: OracleSource | None = None
    labels: dict[str, str | None] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path, corpus: CorpusProblems | None, oracles: OracleSource | None) -> Self | None:
        """Return the re-check of a file whose first record is of a data set; `None` for other files.

        Raises:
            HarnessError: the file cannot be read.
        """
        _, first = next(read_records(path), (0, None))
        if not isinstance(first, dict) or "sample_id" not in first:
            return None
        rows = path.parent.name == STEPWISE or path.parent.name.startswith(LEVEL)
        folder = path.resolve().parent.parent if rows else path.resolve().parent
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            manifest = {}
        files = sorted(folder.glob(f"{SOLUTIONS}-*.jsonl")) if rows else []
        records = (record for file in files for _, record in read_records(file) if isinstance(record, dict))
        known = {str(record.get("sample_id")): record for record in records}
        return cls(path, manifest if isinstance(manifest, dict) else {}, known, corpus, oracles)

    @property
    def rows(self) -> str:
        """Return the level of the rows, or `stepwise`; empty for samples."""
        name = self.path.resolve().parent.name
        return name if name == STEPWISE else name.removeprefix(LEVEL) if name.startswith(LEVEL) else ""

    def results(self) -> Iterator[RecordResult]:
        """Yield the judgement of the file, where it is not that of the manifest, and of each record."""
        name = f"{self.path.resolve().parent.name}/{self.path.name}" if self.rows else self.path.name
        sealed = self.manifest.get("files", {}).get(name, {}).get("sha256") if self.manifest else None
        if self.manifest and sealed != sha256_of(self.path):
            reason = (
                f"{MANIFEST}: expected the SHA-256 of {name}, found another: the file was changed after it was sealed"
            )
            yield RecordResult(0, name[:LONGEST_NAME], "file", Status.REFUTED, reason)
        seen: set[str] = set()
        for place, record in read_records(self.path):
            if not isinstance(record, dict):
                yield RecordResult(place, "?", "?", Status.REFUTED, no_record(record))
                continue
            name = str(record.get("sample_id"))
            again = f"sample_id: expected an id of its own, found {quoted(name)} again" if name in seen else ""
            seen.add(name)
            yield self._result(place, record, again)

    def _result(self, place: int, record: Mapping[str, Any], again: str) -> RecordResult:
        """Return the judgement of one record; `again` is why its id is refused."""
        problem_id = str(record.get("problem_id"))[:LONGEST_NAME]
        claim = f"{self.rows or 'sample'} {one_line(str(record.get('strength') or ''), limit=20)}".strip()
        form = self.samples.get(str(record.get("sample_id"))) if self.rows else record
        if form is None:
            return RecordResult(place, problem_id, claim, Status.UNKNOWN, "its sample is not in the folder above it")
        try:
            sample = Sample.of_record(form)
            if sample.diagnosis is None and sample.trust is not Trust.DIAGNOSED:
                reason = "its label is of no oracle: recheck the run that it is from"
                return RecordResult(place, problem_id, claim, Status.UNKNOWN, reason)
            claim = claim if self.rows else f"sample {sample.strength}"
            found = again or self._label_problem(sample) or (self._row_problem(record, sample) if self.rows else None)
        except MalformedRecordError as error:
            found = f"malformed record: {one_line(error.field, limit=80)}: {one_line(error.expected, limit=150)}"
        if found and self.manifest.get("code") not in {None, dataset_code()}:
            found = f"{found}; the data set was made by another version, make it again"
        return RecordResult(
            place, problem_id, claim[:LONGEST_NAME], Status.REFUTED if found else Status.CONFIRMED, found or None
        )

    def _label_problem(self, sample: Sample) -> str | None:
        """Return what of a label is not made again by its oracle, or is not of the run or the corpus; each sample is judged once."""
        if sample.sample_id not in self.labels:
            self.labels[sample.sample_id] = checked_label(sample) or self._source_problem(sample)
        return self.labels[sample.sample_id]

    def _source_problem(self, sample: Sample) -> str | None:
        facts = stated_facts(sample)
        if self.oracles is not None and not facts.solution:
            expected = self.oracles.facts_of(read_item(sample.question, ""))
            if expected is None or json_form(expected) != json_form(facts):
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

    def _row_problem(self, record: Mapping[str, Any], sample: Sample) -> str | None:
        """Return the field in which a row differs from what its sample makes again."""
        if self.rows == STEPWISE:
            made = stepwise_row(sample)
        else:
            rendered = rendered_sample(sample, DatasetPlan(seed=int(self.manifest.get("seed", 0))).form(sample))
            labels = LabelForm(self.manifest.get("labels", LabelForm.WORDS))
            made = None if rendered is None else row_of(Level(self.rows), sample, rendered, labels=labels)
        if made is None:
            return "its sample gives no such row"
        names = dict.fromkeys((*made, *record))
        return next(
            (f"{name}: differs from what its sample gives" for name in names if record.get(name) != made.get(name)),
            None,
        )
