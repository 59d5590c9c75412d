"""The engine that weighs the evidence of the text alone by a fitted regression: no model, no torch, milliseconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sft.fitted.model import FittedModel
from sft.fitted.prior import ExpectedShare, shifted
from sft.samples.evidence_registry import flattened
from sft.samples.items import Item
from sft.samples.solution_judgement import Engine, Judgement
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.decision import decide
from sft.verifier.diagnosis.diagnosis import diagnosis_model
from sft.verifier.engine_registry import ADAPTERS, EngineSettings, engine

TOGETHER = 1_024


@dataclass(frozen=True, slots=True)
class TextEngine:
    """Decides by the probabilities of a combiner, moved to the expected share of flawed solutions in each batch."""

    combiner: FittedModel
    share: ExpectedShare
    batch: int = TOGETHER
    name: str = "text"
    proved: int | None = None

    def beside(self, proved: int) -> TextEngine:
        """Return the engine whose estimate is bounded by the solutions that are proved to be flawed beside those it is asked about."""
        return replace(self, proved=proved)

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        for start in range(0, len(items), self.batch):
            yield from self._judgements([Case(item) for item in items[start : start + self.batch]])

    def _judgements(self, cases: Sequence[Case]) -> Iterator[Judgement]:
        signals = [EVIDENCE.signals_of(case) for case in cases]
        read = self.combiner.evidence
        features = [flattened({name: each[name] for name in each if name in read}) for each in signals]
        fitted = self.combiner.probabilities(self.combiner.rows_of(features))
        share = self.share.of(fitted, self.combiner.prior, self.proved)
        rows = shifted(fitted, self.combiner.prior, share)
        for case, signal, feature, row in zip(cases, signals, features, rows, strict=True):
            chances = dict(zip(self.combiner.classes, map(float, row), strict=True))
            judgement = decide(case, signal, chances, self.combiner.weigh(feature), diagnosis_model().diagnosis)
            yield replace(judgement, prior=share)


COMBINER = ADAPTERS / "text" / "combiner.json"
"""The fitted weights of the evidence."""


@engine("text", together=TOGETHER)
def open_text(settings: EngineSettings) -> Engine:
    """Return the engine; raises `HarnessError` where `--prior` names no share."""
    return TextEngine(FittedModel.of_file(COMBINER), ExpectedShare(settings.prior), settings.batch or TOGETHER)
