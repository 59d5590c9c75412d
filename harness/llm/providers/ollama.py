"""The provider `ollama`: models that Ollama serves on this machine."""

import json
import os
import urllib.request
from http.client import HTTPException

from harness.llm.chat_completions import chat_provider
from harness.llm.provider import Provider, ProviderAccess, ProviderLimits, provider

BASE_URL = "http://127.0.0.1:11434/v1"
DEFAULT_MODEL = "phi3"
SECONDS_TO_ANSWER, LONGEST_LIST = 1.0, 1_000_000


@provider("ollama", limits=ProviderLimits(concurrency=2, seconds=600))
def open_ollama(access: ProviderAccess) -> Provider:
    """Ollama on this machine, no key; another address in OLLAMA_BASE_URL."""
    return chat_provider(access.variables.get("OLLAMA_BASE_URL") or BASE_URL, None)


def served_model(name: str = DEFAULT_MODEL) -> str | None:
    """Return a model as `ollama:NAME` where Ollama answers and has it, else `None`: one request of at most a second."""
    address = os.environ.get("OLLAMA_BASE_URL") or BASE_URL
    if not address.startswith(("http://", "https://")):
        return None
    try:
        with urllib.request.urlopen(f"{address.rstrip('/')}/models", timeout=SECONDS_TO_ANSWER) as reply:  # noqa: S310  # http alone
            models = json.loads(reply.read(LONGEST_LIST))["data"]
            names = {str(model["id"]).removesuffix(":latest") for model in models}
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return None
    return f"ollama:{name}" if name in names else None
