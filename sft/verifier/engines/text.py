"""The engine that combines the evidence of the text alone: no model, no torch, milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sft.verifier.combiner.combiner import Combiner
from sft.verifier.combiner.prior_shift import ExpectedShare
from sft.verifier.combiner_engine import CombinerEngine
from sft.verifier.engine_registry import ADAPTERS, engine

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings

FOLDER = ADAPTERS / "text"
COMBINER = "combiner.json"


TOGETHER = 1_024


@engine("text", together=TOGETHER)
def open_text(settings: EngineSettings) -> Engine:
    """Return the engine with the committed combiner of evidence that needs no model.

    Raises:
        HarnessError: the combiner is missing, or `--prior` names no share.
    """
    return CombinerEngine(
        "text", Combiner.load(FOLDER / COMBINER), ExpectedShare(settings.prior), batch=settings.batch or TOGETHER
    )
