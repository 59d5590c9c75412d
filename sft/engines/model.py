"""What does the fine-tuned model say by itself, its marks held to a threshold and its explanation held to the schema?"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    from sft.engines.base import Settings
    from sft.models import Loaded
    from sft.scoring import Scorer

NEEDED = ("torch", "transformers", "peft")


def loaded_of(settings: Settings) -> Loaded:
    """Return the preset's model, with the adapter of the settings' folder where there is one.

    Raises:
        HarnessError: a library, the model, or an adapter that was asked for is not there.
    """
    for name in NEEDED:
        if importlib.util.find_spec(name) is None:
            message = f"the model needs {name}, which is not installed: run `make install`, or judge without it by --engine symbolic"
            raise HarnessError(message)
    from sft.models import load_base, load_with_adapter

    if settings.adapter is not None or (settings.folder / "adapter_config.json").is_file():
        return load_with_adapter(settings.preset, settings.folder, settings.device)
    return load_base(settings.preset, settings.device)


@lru_cache(maxsize=1)
def _scorer(settings: Settings) -> Scorer:
    from sft.scoring import Scorer

    loaded = loaded_of(settings)
    return Scorer(loaded.model, loaded.tokenizer)


def scorer_of(settings: Settings) -> Scorer:
    """Return the scorer of the model with its adapter; errors as in `loaded_of`, and there must be an adapter."""
    if not (settings.folder / "adapter_config.json").is_file():
        message = f"no adapter in {settings.folder}: train one by python -m sft.train, or judge without it by --engine symbolic"
        raise HarnessError(message)
    return _scorer(settings)
