"""The basis of samples: the oracle of their problem; its thresholds, and the weight that its confidence gives."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from harness.records.provenance import ConfidenceThresholds

if TYPE_CHECKING:
    from harness.records.provenance import SourceProvenance
    from sft.samples.items import Sample
    from sft.samples.problem_sample import ProblemSample


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

    def supported(self, sample: Sample | ProblemSample, provenance: SourceProvenance | None) -> Sample | ProblemSample:
        """Return a sample with its basis, and its weight."""
        if provenance is None:
            return sample
        weight = provenance.confidence if self.weighted and provenance.confidence is not None else sample.weight
        return replace(
            sample,
            oracle=provenance.oracle or "",
            clique_size=provenance.clique_size or 0,
            confidence=provenance.confidence,
            p_right=provenance.p_right,
            weight=weight,
        )
