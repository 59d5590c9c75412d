"""Anthropic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.llm.anthropic_messages import BASE_URL, Anthropic
from harness.llm.provider import provider

if TYPE_CHECKING:
    from harness.llm.batch_protocol import Batching
    from harness.llm.provider import Access, Provider


def open_batches(access: Access) -> Batching:
    """Anthropic's batches, at the same address with the same key."""
    from harness.llm.batches.anthropic import AnthropicBatches

    return AnthropicBatches(_opened(access))


@provider("anthropic", batches=open_batches)
def open_anthropic(access: Access) -> Provider:
    """Anthropic's interface; key in ANTHROPIC_API_KEY, another address in ANTHROPIC_BASE_URL."""
    return _opened(access)


def _opened(access: Access) -> Anthropic:
    return Anthropic(access.variables.get("ANTHROPIC_BASE_URL") or BASE_URL, access.key("ANTHROPIC_API_KEY"))
