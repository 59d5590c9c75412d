"""Shared configuration of all tests: Hypothesis without randomness or deadlines, and the real data where present."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from harness.paths import data_folder

# Workers share the cores; where each has a thread for every core, they wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Hints name programs as they are typed in an activated environment.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

settings.register_profile(
    "tests", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real data, `$SHARED_DATA` or `../shared/data`; a test that needs it is skipped without it."""
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}; set SHARED_DATA to its folder")
    return folder
