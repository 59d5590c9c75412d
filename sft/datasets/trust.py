"""The basis of samples: the oracle of their problem with its thresholds, the doubts about a flawed solution, and the sealed audits of a run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from harness.corpora.labelled_solutions import read_record as read_labelled_record
from harness.domain import Status, Verdict
from harness.json_form import read_record
from harness.records.mutation import LEAST_PLAUSIBILITY, FlawRecord
from harness.records.provenance import ConfidenceThresholds, SourceProvenance
from harness.stages import LABEL, MUTATION
from harness.store.run_folder import RunFolder
from sft.samples.items import ProblemSample, Sample

SampleT = TypeVar("SampleT", Sample, ProblemSample)
NEEDS_EDIT = "needs an edit"
IMPLAUSIBLE = f"plausibility below {LEAST_PLAUSIBILITY}"
AUDIT = "the audit of its label is not clean"


@dataclass(frozen=True, slots=True)
class ConfidencePlan:
    """The thresholds that records of runs must reach, and whether their samples are `weighted` by their confidence."""

    thresholds: ConfidenceThresholds = field(default_factory=ConfidenceThresholds)
    weighted: bool = False

    def refusal(self, provenance: SourceProvenance | None) -> str:
        """Return why a record of a run is not used, empty if it is."""
        confidence = None if provenance is None else provenance.confidence
        if confidence is None and (self.weighted or not self.thresholds.ask_nothing):
            why = "no confidence is recorded" if provenance is None else "its run had no formalization stage"
            return f"{why}: --min-confidence, --min-clique, --min-p-right and --weight-by-confidence need one"
        if not self.thresholds.reached_by(provenance):
            return "less agreement than --min-confidence, --min-clique and --min-p-right ask"
        if self.weighted and not confidence:
            return "a confidence of 0, which is no weight for --weight-by-confidence"
        return ""

    def supported(self, sample: SampleT, provenance: SourceProvenance | None) -> SampleT:
        """Return a sample with its basis, and its weight."""
        if provenance is None:
            return sample
        return replace(
            sample,
            oracle=provenance.oracle or "",
            clique_size=provenance.clique_size or 0,
            confidence=provenance.confidence,
            p_right=provenance.p_right,
            weight=(self.weighted and provenance.confidence) or sample.weight,
        )


def doubt_of(flaw: FlawRecord, form: Any, *, clean: bool | None = None) -> str:
    """Return the first doubt about the flawed solution of a record, empty where there is none; `form` is its JSON form.

    `clean` is what its audit said, `None` where it was not audited yet.
    """
    if flaw.needs_edit:
        return NEEDS_EDIT
    if flaw.plausibility.score < LEAST_PLAUSIBILITY:
        return IMPLAUSIBLE
    if clean is None:
        # It takes a tenth of a second, which `--help` need not wait for.
        from oracles.labels.audit.label_verdict import audit

        clean = _is_clean(audit(read_labelled_record(form, flaw.operator), None, flaw.problem_id))
    return "" if clean else AUDIT


def _is_clean(verdict: Verdict) -> bool:
    return verdict.status is Status.CONFIRMED and not verdict.findings


def clean_records(run: RunFolder) -> Mapping[str, frozenset[int]]:
    """Return the places, from zero, of the clean records of each file of flawed solutions whose very bytes the run has audited.

    A file that was not audited, or changed since, is left out; so is all where the stage is not sealed.
    Raises `HarnessError` where a sealed file was changed.
    """
    if not (run.stage(LABEL).sealed and run.stage(MUTATION).sealed):
        return {}
    digests = run.stage(LABEL).manifest().get("audited")
    audited = {sha256: name for name, sha256 in digests.items()} if isinstance(digests, dict) else {}
    made = run.stage(MUTATION).manifest()["files"]
    files = {audited[entry["sha256"]]: file for file, entry in made.items() if entry["sha256"] in audited}
    clean: dict[str, set[int]] = {file: set() for file in files.values()}
    for line in run.stage(LABEL).stream("verdicts.jsonl"):
        verdict = read_record(Verdict, json.loads(line))
        name, _, place = verdict.left.rpartition("#")
        if name in files and _is_clean(verdict):
            clean[files[name]].add(int(place))
    return {file: frozenset(places) for file, places in clean.items()}
