"""The engine that decides by a fitted combiner of evidence, with or without the scores of a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sft.samples.evidence_registry import flattened
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.combiner.combiner import CLASSES
from sft.verifier.combiner.prior_shift import DEFAULT_SHARE, ExpectedShare, shifted
from sft.verifier.diagnosis.decision import decide
from sft.verifier.diagnosis.diagnosis import diagnosis_model
from sft.verifier.engine_registry import BATCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Item
    from sft.samples.solution_judgement import Judgement
    from sft.verifier.combiner.combiner import Combiner
    from sft.verifier.line_scores.scorer import Scorer
    from sft.verifier.model_scores import Scores


@dataclass(frozen=True, slots=True)
class CombinerEngine:
    """Reads the evidence that the combiner needs, with scores if necessary, and decides by the combiner's probabilities.

    The probabilities are moved to the expected share of flawed solutions.
    """

    name: str
    combiner: Combiner
    share: ExpectedShare = DEFAULT_SHARE
    scorer: Scorer | None = None
    twins: bool = False
    batch: int = BATCH

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        for start in range(0, len(items), self.batch):
            batch = items[start : start + self.batch]
            scores: Sequence[Scores | None] = [None] * len(batch)
            if self.scorer is not None:
                scores = self.scorer.score(batch, twins=self.twins)
            yield from self._judged([Case(item, score) for item, score in zip(batch, scores, strict=True)])

    def _judged(self, cases: Sequence[Case]) -> Iterator[Judgement]:
        signals = [EVIDENCE.signals_of(case, self.combiner.evidence) for case in cases]
        features = [flattened(signal) for signal in signals]
        fitted = self.combiner.predict_rows(self.combiner.rows_of(features))
        share = self.share.of(fitted, self.combiner.prior)
        for case, signal, feature, row in zip(
            cases, signals, features, shifted(fitted, self.combiner.prior, share), strict=True
        ):
            chances = dict(zip(CLASSES, map(float, row), strict=True))
            weights = self.combiner.weigh(feature)
            yield replace(decide(case, signal, chances, weights, diagnosis_model().diagnosis), prior=share)
