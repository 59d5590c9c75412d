"""The pytest plugin of the snapshot suites: their items, and the refusal of updates under xdist."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.plugin import CLAIMS, is_worker, selected
from snapshots.snapshot_files import KINDS

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

    from snapshots.texts.subjects import Subject

FOLDER = "snapshots/"
SUITES = {Path(__file__).resolve().parent / f"{kind.suite}.py": kind for kind in KINDS}
EXTENSION = "snapshots.syrupy_extension.NamedExtension"
SUBJECTS: pytest.StashKey[dict[str, Subject]] = pytest.StashKey()
UPDATE_REFUSED = (
    "snapshots are not updated by several processes at once; update them by\n"
    "  pytest -n0 snapshots --snapshot-update\n"
    "or look at each change first by\n"
    "  make snapshots"
)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker of traces, and make ours the only layout of snapshots.

    Raises:
        pytest.UsageError: workers are asked to update snapshots.
    """
    config.addinivalue_line("markers", "trace: snapshots of evaluation traces")
    if not config.pluginmanager.has_plugin("syrupy"):
        return
    # syrupy's own layout, which it assumes in a session that asserts no snapshot, takes our files for left-overs.
    config.option.default_extension = EXTENSION
    updating = config.option.update_snapshots or config.option.update_new_snapshots_only
    if updating and not is_worker(config) and config.getoption("dist", "no") != "no":
        raise pytest.UsageError(UPDATE_REFUSED)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Let go of syrupy where no item asserts a snapshot: it has nothing to say on such a session."""
    if not any("snapshot" in getattr(item, "fixturenames", ()) for item in session.items):
        _dismiss_syrupy(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: WorkerController, ids: list[str]) -> None:
    """Do the same in the controlling process, where syrupy would miss the reports of workers that died."""
    if not any(name.startswith(FOLDER) for name in ids):
        _dismiss_syrupy(node.config)


def _dismiss_syrupy(config: pytest.Config) -> None:
    if config.pluginmanager.has_plugin("syrupy"):
        config.pluginmanager.unregister(name="syrupy")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every snapshot its item, unless the session's -m leaves all of a kind out."""
    kind = SUITES.get(metafunc.definition.path.resolve())
    if kind is None or "subject" not in metafunc.fixturenames:
        return
    if not selected(metafunc):
        metafunc.parametrize("subject", [], indirect=True)
        return
    from snapshots.texts.subjects import subjects  # sessions that run no item of this suite read no corpus for it

    known = {subject.item: subject for subject in subjects([kind])}
    metafunc.config.stash.setdefault(SUBJECTS, {}).update(known)
    metafunc.config.stash[CLAIMS].add(metafunc.definition.path)
    metafunc.parametrize("subject", list(known), ids=list(known), indirect=True)
