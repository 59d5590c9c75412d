"""Ollama."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.llm.chat_completions import Compatible, Dialect
from harness.llm.provider import provider
from harness.llm.rate_limits import Limits

if TYPE_CHECKING:
    from harness.llm.provider import Access, Provider

BASE_URL = "http://127.0.0.1:11434/v1"


@provider("ollama", limits=Limits(concurrency=2, seconds=600))
def open_ollama(access: Access) -> Provider:
    """Ollama on this machine, no key; another address in OLLAMA_BASE_URL."""
    return Compatible(access.variables.get("OLLAMA_BASE_URL") or BASE_URL, None, Dialect())
