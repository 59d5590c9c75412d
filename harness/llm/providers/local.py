"""The provider `local`: the small model SmolLM2-135M-Instruct, run by llama.cpp on this machine."""

import os

from harness.command_line.runnable_commands import optional_packages
from harness.errors import HarnessError
from harness.llm.chat_completions import chat_provider
from harness.llm.model_weights import gguf_file
from harness.llm.provider import Provider, ProviderAccess, ProviderLimits, provider

AT_ONCE = 2
CONTEXT = 8_192
"""Tokens of one conversation, as in the training of SmolLM2 (`llama.context_length` of its file)."""


@provider("local", limits=ProviderLimits(concurrency=AT_ONCE, seconds=600))
def open_local(_: ProviderAccess) -> Provider:
    """SmolLM2-135M-Instruct by llama.cpp on this machine: no key, no network.

    Another GGUF file in SFT_GGUF. What is not installed, or cannot be loaded, is a `HarnessError`.
    """
    weights = gguf_file()
    with optional_packages("local"):
        import xllamacpp
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.model_alias = {weights.stem}
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_parallel = AT_ONCE
    settings.n_ctx = AT_ONCE * CONTEXT
    settings.verbosity = 0
    settings.ui = settings.warmup = False
    # Threads wait for each other by spinning: with one thread a core, they stall while another process uses a core.
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = max((os.cpu_count() or 1) // 2, 1)
    try:
        server = xllamacpp.Server(settings)
    except (RuntimeError, ValueError) as error:
        raise HarnessError(f"local: llama.cpp cannot serve {weights}: {error}") from None
    # The server has no method to stop; it stops when it is no longer referenced.
    return chat_provider(f"{server.listening_address}/v1", None, grammar=True, server=server)
