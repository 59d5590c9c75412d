"""Gemini."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.llm.chat_completions import Compatible, Dialect
from harness.llm.provider import provider

if TYPE_CHECKING:
    from harness.llm.provider import Access, Provider

BASE_URL = "https://generativelanguage.googleapis.com/v1beta/openai/"


@provider("gemini")
def open_gemini(access: Access) -> Provider:
    """Gemini's OpenAI-compatible interface; key in GEMINI_API_KEY, another address in GEMINI_BASE_URL."""
    return Compatible(access.variables.get("GEMINI_BASE_URL") or BASE_URL, access.key("GEMINI_API_KEY"), Dialect())
