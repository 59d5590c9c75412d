"""The provider `anthropic`: Anthropic's Messages interface and its batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.llm.protocols.anthropic_messages import BASE_URL, AnthropicProvider
from harness.llm.provider import provider

if TYPE_CHECKING:
    from harness.llm.protocols.batch_protocol import BatchProvider
    from harness.llm.provider import Provider, ProviderAccess


def open_batches(access: ProviderAccess) -> BatchProvider:
    """Anthropic's batches, at the same address with the same key."""
    from harness.llm.batches.anthropic import AnthropicBatches

    return AnthropicBatches(_opened(access))


@provider("anthropic", batches=open_batches)
def open_anthropic(access: ProviderAccess) -> Provider:
    """Anthropic's interface; key in ANTHROPIC_API_KEY, another address in ANTHROPIC_BASE_URL."""
    return _opened(access)


def _opened(access: ProviderAccess) -> AnthropicProvider:
    return AnthropicProvider(access.variables.get("ANTHROPIC_BASE_URL") or BASE_URL, access.key("ANTHROPIC_API_KEY"))
