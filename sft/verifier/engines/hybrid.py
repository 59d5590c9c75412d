"""The engine that combines all evidence and the scores of the model by a fitted combiner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sft.verifier.case import EVIDENCE
from sft.verifier.combiner.combiner import Combiner
from sft.verifier.combiner.prior_shift import ExpectedShare
from sft.verifier.combiner_engine import CombinerEngine
from sft.verifier.engine_registry import BATCH, engine
from sft.verifier.language_model.model_judgements import scorer_of

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings

COMBINER, TWINS_COMBINER = "combiner.json", "combiner-twins.json"


@engine("hybrid")
def open_hybrid(settings: EngineSettings) -> Engine:
    """Return the engine with the combiner of the adapter's folder.

    Raises:
        HarnessError: the folder has no such combiner, or the adapter or the model is missing.
    """
    combiner = Combiner.load(settings.folder / (TWINS_COMBINER if settings.twins else COMBINER))
    scored = any(EVIDENCE.require(name).needs_scores for name in combiner.evidence)
    share = ExpectedShare(settings.prior)
    return CombinerEngine(
        "hybrid", combiner, share, scorer_of(settings) if scored else None, settings.twins, settings.batch or BATCH
    )
