"""The provider `openai`: OpenAI's chat completions interface and its batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.llm.protocols.chat_completions import CompatibleProvider, ServerDialect
from harness.llm.provider import provider

if TYPE_CHECKING:
    from harness.llm.protocols.batch_protocol import BatchProvider
    from harness.llm.provider import Provider, ProviderAccess

BASE_URL = "https://api.openai.com/v1"


def open_batches(access: ProviderAccess) -> BatchProvider:
    """OpenAI's batches, at the same address with the same key."""
    from harness.llm.batches.openai import OpenAIBatches

    return OpenAIBatches(_opened(access))


@provider("openai", batches=open_batches)
def open_openai(access: ProviderAccess) -> Provider:
    """OpenAI's interface; key in OPENAI_API_KEY, another address in OPENAI_BASE_URL."""
    return _opened(access)


def _opened(access: ProviderAccess) -> CompatibleProvider:
    dialect = ServerDialect(limit="max_completion_tokens", cache_key=True, idempotent=True, ambient=True)
    return CompatibleProvider(
        access.variables.get("OPENAI_BASE_URL") or BASE_URL, access.key("OPENAI_API_KEY"), dialect
    )
