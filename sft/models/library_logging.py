"""The switches by which the libraries of models print nothing that is not for the user."""

import logging
import os
import warnings

_SETTINGS = {"TOKENIZERS_PARALLELISM": "false", "TRANSFORMERS_VERBOSITY": "error"}


def quiet_libraries() -> None:
    """Silence the libraries of models, but for their errors; call it before they are imported.

    What the environment sets, such as `TRANSFORMERS_VERBOSITY=info`, stands.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    # PEFT still reads the old name.
    warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated", FutureWarning)
    # It warns at import of what is slower here than elsewhere.
    logging.getLogger("bitsandbytes.backends.cpu.ops").setLevel(logging.ERROR)
