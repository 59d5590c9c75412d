"""Shared configuration of all tests: Hypothesis without deadlines, its cases fixed or new, and the real data where present."""

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from harness.paths import data_folder

# Workers share the cores; where each has a thread for every core, they wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A job in the background of a shell ignores Ctrl-C, and so would the processes that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Hints name programs as they are typed in an activated environment.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

# UT-3 searches by Hypothesis itself, within laws of what asks UT-3.
_SUPPRESSED = [HealthCheck.too_slow, HealthCheck.nested_given]
_ALWAYS = settings(deadline=None, database=None, suppress_health_check=_SUPPRESSED)
settings.register_profile("tests", _ALWAYS, derandomize=True)
# New cases each time, and more of them, for `make test-slow`.
settings.register_profile("thorough", _ALWAYS, max_examples=200, derandomize=False, print_blob=True)
settings.load_profile("tests")

# Where Hypothesis keeps the settings of a law; there is no public way to change them after its definition.
_SETTINGS = "_hypothesis_internal_use_settings"
QUICK_CASES = 10
"""So many cases of a law over generated cases are asked by `make test`; all that its `@settings` say, by `make test-slow`."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ask a law that is not slow no more than a few cases, unless another profile than that of `make test` is chosen."""
    if settings.get_current_profile_name() != "tests":
        return
    for item in items:
        law = getattr(getattr(item, "obj", None), "law", getattr(item, "obj", None))
        # A state machine is a class, and has its settings under a public name.
        for holder, name in ((law, _SETTINGS), (getattr(item, "cls", None), "settings")):
            own = getattr(holder, name, None)
            if isinstance(own, settings) and own.max_examples > QUICK_CASES and not item.get_closest_marker("slow"):
                setattr(holder, name, settings(own, max_examples=QUICK_CASES))


def pytest_collection_finish() -> None:
    """Leave what all modules hold out of every later collection of garbage: it would take a thirtieth of the processor time."""
    gc.freeze()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real data, `$SHARED_DATA` or `../shared/data`; a test that needs it is skipped without it."""
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}; set SHARED_DATA to its folder")
    return folder
