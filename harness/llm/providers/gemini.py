"""The provider `gemini`: Gemini through its OpenAI-compatible interface."""

from harness.llm.chat_completions import chat_provider
from harness.llm.provider import Provider, ProviderAccess, provider

BASE_URL = "https://generativelanguage.googleapis.com/v1beta/openai/"


@provider("gemini")
def open_gemini(access: ProviderAccess) -> Provider:
    """Gemini's OpenAI-compatible interface; key in GEMINI_API_KEY, another address in GEMINI_BASE_URL."""
    address = access.variables.get("GEMINI_BASE_URL") or BASE_URL
    return chat_provider(address, access.key("GEMINI_API_KEY"))
