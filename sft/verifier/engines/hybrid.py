"""The engine that combines all evidence and the scores of the model by a fitted combiner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sft.samples.evidence_registry import flattened
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.combiner.combiner import Combiner
from sft.verifier.decision import decide
from sft.verifier.engine import BATCH, engine
from sft.verifier.model_engine import scorer_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Item
    from sft.samples.solution_judgement import Engine, Judgement
    from sft.verifier.engine import EngineSettings
    from sft.verifier.line_scores.scorer import Scorer
    from sft.verifier.model_scores import Scores

COMBINER, TWINS_COMBINER = "combiner.json", "combiner-twins.json"


@dataclass(frozen=True, slots=True)
class HybridEngine:
    """Reads the evidence that the combiner needs, with scores if necessary, and decides by the combiner's probabilities."""

    combiner: Combiner
    scorer: Scorer | None
    twins: bool = False
    batch: int = BATCH
    name: str = "hybrid"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        for start in range(0, len(items), self.batch):
            batch = items[start : start + self.batch]
            scores: Sequence[Scores | None] = [None] * len(batch)
            if self.scorer is not None:
                scores = self.scorer.score(batch, twins=self.twins)
            for item, score in zip(batch, scores, strict=True):
                yield judgement(Case(item, score), self.combiner)


def judgement(case: Case, combiner: Combiner) -> Judgement:
    """Return the judgement on one case; it must have scores if the combiner needs them."""
    signals = EVIDENCE.signals_of(case, combiner.evidence)
    features = flattened(signals)
    return decide(case, signals, combiner.predict(features), combiner.weigh(features))


@engine("hybrid")
def open_hybrid(settings: EngineSettings) -> Engine:
    """Return the engine with the combiner of the adapter's folder.

    Raises:
        HarnessError: the folder has no such combiner, or the adapter or the model is missing.
    """
    combiner = Combiner.load(settings.folder / (TWINS_COMBINER if settings.twins else COMBINER))
    scored = any(EVIDENCE.require(name).needs_scores for name in combiner.evidence)
    return HybridEngine(combiner, scorer_of(settings) if scored else None, settings.twins, settings.batch)
