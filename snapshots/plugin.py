"""The pytest plugin of the snapshot suites: their items, and the refusal of updates under xdist."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.command_line.runnable_commands import runnable
from properties.plugin import SESSION
from properties.suites import is_worker, item_id, selected

EXTENSION = "snapshots.conftest.TextFiles"


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker of traces and set the layout of the snapshots; workers that should update them raise a `pytest.UsageError`."""
    config.addinivalue_line("markers", "trace: snapshots of evaluation traces")
    if not config.pluginmanager.has_plugin("syrupy"):
        return
    config.option.default_extension = EXTENSION
    updating = config.option.update_snapshots or config.option.update_new_snapshots_only
    if updating and not is_worker(config) and config.getoption("dist", "no") != "no":
        update = runnable("pytest -n0 snapshots --snapshot-update")
        raise pytest.UsageError(f"expected one process to update snapshots; run\n  {update}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a suite by the names of its subjects; by none if the session's `-m` deselects the suite."""
    if metafunc.definition.path.resolve().parent != Path(__file__).resolve().parent:
        return
    metafunc.config.stash[SESSION].modules.add(metafunc.definition.path)
    # Reading the corpus and the operators takes time that other sessions do not need.
    names = metafunc.module.names() if selected(metafunc) else []
    metafunc.parametrize("name", names, ids=[item_id(name) if ":" in name else name for name in names])
