"""The engine that asks a model behind an OpenAI-compatible server: vLLM, llama.cpp, Ollama, or a provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sft.judges.remote import RemoteJudge
from sft.verifier.asked_form import asked_form
from sft.verifier.engine_registry import engine

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings


@engine("endpoint", any_script=True)
def open_endpoint(settings: EngineSettings) -> Engine:
    """Return the engine for the server and the model that the settings name; its key is read from the environment.

    Raises:
        HarnessError: server or model is not named, or the openai library is not installed.
    """
    return RemoteJudge.of_server(settings.endpoint, settings.model, asked_form(settings))
