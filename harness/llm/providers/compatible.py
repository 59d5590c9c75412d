"""The provider `compatible`: any OpenAI-compatible server, such as vLLM, llama.cpp or a gateway."""

from harness.errors import HarnessError
from harness.llm.chat_completions import COMPATIBLE_ADDRESS, COMPATIBLE_KEY, chat_provider
from harness.llm.provider import Provider, ProviderAccess, ProviderLimits, provider


@provider("compatible", limits=ProviderLimits(seconds=600))
def open_compatible(access: ProviderAccess) -> Provider:
    """Any OpenAI-compatible server; its address in COMPATIBLE_BASE_URL, its key, where it wants one, in COMPATIBLE_API_KEY."""
    address = access.variables.get(COMPATIBLE_ADDRESS, "")
    if not address.startswith(("http://", "https://")):
        raise HarnessError(
            f"compatible: set {COMPATIBLE_ADDRESS} to an address such as http://127.0.0.1:8000/v1, found {address!r}"
        )
    key = access.key(COMPATIBLE_KEY) if access.variables.get(COMPATIBLE_KEY) else None
    return chat_provider(address, key, grammar=True)
