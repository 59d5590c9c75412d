"""The pytest plugin of the snapshot suites: their items, and the refusal of updates under xdist."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.command_line.runnable_commands import runnable
from harness.plugin import CLAIMS, is_worker, selected
from snapshots.snapshot_files import KINDS

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

    from snapshots.texts.subjects import Subject

FOLDER = "snapshots/"
SUITES = {Path(__file__).resolve().parent / f"{kind.suite}.py": kind for kind in KINDS}
EXTENSION = "snapshots.syrupy_extension.NamedExtension"
SUBJECTS: pytest.StashKey[dict[str, Subject]] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker of traces, and set our layout of snapshots.

    Raises:
        pytest.UsageError: workers are asked to update snapshots.
    """
    config.addinivalue_line("markers", "trace: snapshots of evaluation traces")
    if not config.pluginmanager.has_plugin("syrupy"):
        return
    # In a session that asserts no snapshot, syrupy assumes its own layout and reports our files as unused.
    config.option.default_extension = EXTENSION
    updating = config.option.update_snapshots or config.option.update_new_snapshots_only
    if updating and not is_worker(config) and config.getoption("dist", "no") != "no":
        update, review = runnable("pytest -n0 snapshots --snapshot-update"), runnable("make snapshots")
        message = (
            f"expected one process to update snapshots; run\n  {update}\nor look at each change first with\n  {review}"
        )
        raise pytest.UsageError(message)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Unregister syrupy if no item asserts a snapshot, so that its report says nothing on this session."""
    if not any("snapshot" in getattr(item, "fixturenames", ()) for item in session.items):
        _dismiss_syrupy(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: WorkerController, ids: list[str]) -> None:
    """Do the same in the controlling process, where syrupy lacks the reports of workers that died."""
    if not any(name.startswith(FOLDER) for name in ids):
        _dismiss_syrupy(node.config)


def _dismiss_syrupy(config: pytest.Config) -> None:
    if config.pluginmanager.has_plugin("syrupy"):
        config.pluginmanager.unregister(name="syrupy")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a suite by its subjects; by none if the session's `-m` deselects the suite."""
    kind = SUITES.get(metafunc.definition.path.resolve())
    if kind is None or "subject" not in metafunc.fixturenames:
        return
    if not selected(metafunc):
        metafunc.parametrize("subject", [], indirect=True)
        return
    from snapshots.texts.subjects import subjects  # reads the corpus, which other sessions do not need

    known = {subject.item: subject for subject in subjects([kind])}
    metafunc.config.stash.setdefault(SUBJECTS, {}).update(known)
    metafunc.config.stash[CLAIMS].add(metafunc.definition.path)
    metafunc.parametrize("subject", list(known), ids=list(known), indirect=True)
