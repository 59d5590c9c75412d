"""The switches by which the libraries of models print nothing that is not for the user, and share the processor with others."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# A thread that waits spins a short time, then sleeps. By default it spins for milliseconds: beside other jobs (load 6, two
# cores) the first token of a batch of eight came after 56 s, with this after 2 s.
_SETTINGS = {"TOKENIZERS_PARALLELISM": "false", "TRANSFORMERS_VERBOSITY": "error", "GOMP_SPINCOUNT": "2000"}
_LOGGERS = ("bitsandbytes.backends.cpu.ops",)
"""Loggers that warn at import of what is slower here than elsewhere."""


def quiet_libraries() -> None:
    """Silence the libraries of models, but for their errors, and let their waiting threads sleep; call it before they are imported.

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
    """Keep progress bars that have no switch out of standard error; what raises raises."""
    with contextlib.redirect_stderr(io.StringIO()):
        yield
