"""How do snapshots behave inside pytest: their items, and when may they be updated?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.plugin import CLAIMS, is_worker, item_id

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

    from snapshots.subjects import Subject

FOLDER = "snapshots/"
MODULE = "test_traces.py"
EXTENSION = "snapshots.extension.TraceExtension"
SUBJECTS: pytest.StashKey[dict[str, Subject]] = pytest.StashKey()
UPDATE_REFUSED = (
    "snapshots are not updated by several processes at once; update them by\n"
    "  pytest -n0 -m trace --snapshot-update\n"
    "or look at each change first by\n"
    "  make snapshots"
)


def pytest_configure(config: pytest.Config) -> None:
    """Make ours the only layout of snapshots.

    Raises:
        pytest.UsageError: workers are asked to update snapshots.
    """
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
    """Give every snapshot its item."""
    if metafunc.definition.path.name != MODULE or "subject" not in metafunc.fixturenames:
        return
    from snapshots.subjects import subjects  # sessions that do not collect this suite read no corpus for it

    known = {item_id(subject.problem_id, *subject.models): subject for subject in subjects()}
    metafunc.config.stash[SUBJECTS] = known
    metafunc.config.stash[CLAIMS].add(metafunc.definition.path)
    metafunc.parametrize("subject", list(known), ids=list(known), indirect=True)
