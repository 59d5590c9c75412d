"""The switches by which the libraries of models print nothing that is not for the user."""

import contextlib
import io
import logging
import os
import warnings
from collections.abc import Iterator

_SETTINGS = {"TOKENIZERS_PARALLELISM": "false", "TRANSFORMERS_VERBOSITY": "error"}
_LOGGERS = ("bitsandbytes.backends.cpu.ops",)
"""Loggers that warn at import of what is slower here than elsewhere."""


def quiet_libraries() -> None:
    """Silence the libraries of models, but for their errors; call it before they are imported.

    What the environment sets, such as `TRANSFORMERS_VERBOSITY=info`, stands.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    # PEFT still reads the old name.
    warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated", FutureWarning)
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.ERROR)


@contextlib.contextmanager
def without_bars() -> Iterator[None]:
    """Keep progress bars that have no switch out of standard error; exceptions pass through."""
    with contextlib.redirect_stderr(io.StringIO()):
        yield
