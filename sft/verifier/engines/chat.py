"""The engine that asks a model, local or behind a server, the question of the level that it was trained on."""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from sft.verifier.engine_registry import engine
from sft.verifier.language_model.endpoint_client import PROVIDER, opened_client
from sft.verifier.language_model.level_judgements import LevelEndpoint, LevelEngine, form_of, trained_form
from sft.verifier.language_model.model_judgements import has_adapter, opened_model

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings
    from sft.verifier.language_model.level_questions import LevelForm


@engine("chat", any_script=True)
def open_chat(settings: EngineSettings) -> Engine:
    """Return the engine for the level of the adapter, or for `--level`.

    Raises:
        HarnessError: no level is known, or it is another than the adapter's; errors as in `opened_model`.
    """
    form = asked_form(settings)
    if settings.endpoint:
        opened = LevelEndpoint(opened_client(settings), PROVIDER, settings.model, form)
        atexit.register(opened.close)
        return opened
    return LevelEngine(opened_model(settings).loaded, form)


def asked_form(settings: EngineSettings) -> LevelForm:
    """Return the level to ask: the adapter's, else that of the options.

    Raises:
        HarnessError: both are missing, or they differ.
    """
    trained = trained_form(settings.folder) if has_adapter(settings) else None
    if trained is None:
        if not settings.level:
            raise HarnessError(
                f"no level: {settings.folder} has no adapter that was trained on a level; name the level by --level"
            )
        return form_of(settings.level, settings.labels)
    if settings.level and settings.level != trained.level:
        raise HarnessError(
            f"--level {settings.level}: the adapter {settings.folder} was trained on level {trained.level}"
        )
    return trained
