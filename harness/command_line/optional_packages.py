"""The packages of the extras, and the message where one that is imported is not installed."""

import contextlib
from collections.abc import Iterator

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError

EXTRAS = {
    "llm": "openai anthropic httpx2 dotenv xllamacpp aiolimiter genai_prices",
    "sft": "torch transformers datasets huggingface_hub peft trl accelerate bitsandbytes gguf llguidance yaml sklearn threadpoolctl",
    "review": "streamlit starlette",
    "scale": "ray pyarrow",
}
"""The optional packages, by the extra that holds them."""


@contextlib.contextmanager
def optional_packages(purpose: str = "") -> Iterator[None]:
    """Import optional packages in the context, for a purpose such as `--engine ray`.

    Raises:
        HarnessError: one of them is not installed; the message names the command that installs it.
    """
    try:
        yield
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        extra = next((name for name, packages in EXTRAS.items() if package in packages.split()), None)
        if extra is None:
            raise
        install = runnable(f"make install-{extra}")
        message = f"{purpose}{': ' * bool(purpose)}the package {package!r} is not installed; install it by: {install}"
        raise HarnessError(message) from None
