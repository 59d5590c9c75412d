"""The provider `ollama`: models that Ollama serves on this machine."""

from harness.llm.chat_completions import chat_provider
from harness.llm.provider import Provider, ProviderAccess, ProviderLimits, provider

BASE_URL = "http://127.0.0.1:11434/v1"


@provider("ollama", limits=ProviderLimits(concurrency=2, seconds=600))
def open_ollama(access: ProviderAccess) -> Provider:
    """Ollama on this machine, no key; another address in OLLAMA_BASE_URL."""
    return chat_provider(access.variables.get("OLLAMA_BASE_URL") or BASE_URL, None)
