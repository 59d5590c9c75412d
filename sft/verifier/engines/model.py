"""The engine of a language model alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sft.models.constrained_decoding import Decoder
from sft.verifier.combiner.combiner import Combiner
from sft.verifier.engine_registry import EngineSettings, engine
from sft.verifier.language_model.model_judgements import ChatEngine, MarkEngine, opened_model, require_marks

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Engine

COMBINER = "model.json"


@engine("model")
def open_model(settings: EngineSettings) -> Engine:
    """Return the engine: by marks with an adapter, by chat without one.

    Raises:
        HarnessError: as `opened_model`.
    """
    require_marks(settings)
    opened = opened_model(settings)
    if not opened.adapted:
        return ChatEngine(opened, Decoder(opened.loaded))
    path = settings.folder / COMBINER
    return MarkEngine(
        opened, Combiner.load(path) if path.is_file() else None, Decoder(opened.loaded) if settings.explain else None
    )
