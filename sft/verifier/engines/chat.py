"""The engine that asks a model, local or behind a server, the question of a level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.errors import HarnessError
from sft.judges.local import LocalJudge, opened_model
from sft.judges.remote import RemoteJudge
from sft.verifier.asked_form import asked_form
from sft.verifier.engine_registry import engine

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings


@engine("chat", any_script=True)
def open_chat(settings: EngineSettings) -> Engine:
    """Return the engine for the level of the adapter, or for `--level`.

    Raises:
        HarnessError: no level is known, or it is another than the adapter's; errors as in `opened_model`.
    """
    if settings.adapter is None and not settings.level:
        raise HarnessError("no level: name it by --level, or an adapter that was trained on one by --adapter")
    form = asked_form(settings)
    if settings.endpoint:
        return RemoteJudge.of_server(settings.endpoint, settings.model, form, "chat")
    return LocalJudge(opened_model(settings.preset, settings.adapter, settings.device), form, "chat")
