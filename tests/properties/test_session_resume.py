"""Tests of resumed sessions: a partial, stopped or killed session loses nothing, and sealed stages stay unchanged."""

import io
import os
from collections import Counter

import pytest

from harness.store.progress_line import StageProgress
from harness.store.run_folder import held_lock
from tests.properties.session_process import InputFiles, SessionOutcome, SessionTerminal

KILL = """
import os, pathlib, signal

HERE = pathlib.Path(os.environ["ORACLE_FACTORY_TEST_SESSION"])

def pytest_runtest_setup(item):
    if item.name == "test_ut3[t-5:oak~yew]" and not (HERE / "killed").exists():
        (HERE / "killed").touch()
        TARGET
"""
KILL_SESSION = KILL.replace("TARGET", "os.killpg(0, signal.SIGKILL)")
KILL_CONTROLLER = KILL.replace("TARGET", "os.kill(os.getppid(), signal.SIGKILL)").replace(
    "test_ut3[t-5:oak~yew]", "test_ut1[t-1:ash]"
)


COUNT = """
import os, pathlib
import harness.store.run_folder as store

append = store.Shard.append

def counted(shard, record):
    if record["claim"] != "record":
        with open(pathlib.Path(os.environ["ORACLE_FACTORY_TEST_SESSION"]) / "judged", "a") as stream:
            stream.write(record["claim"] + "\\n")
    append(shard, record)

store.Shard.append = counted
"""


def test_a_partial_session_is_continued(tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome) -> None:
    """`-k test_ut1` judges those claims and seals nothing; the next session judges the others and seals the same bytes; a third one reads them.

    Each says where the run stands.
    """
    (terminal.folder / "session_plugin.py").write_text(COUNT)
    runs = f"--harness-runs={terminal.folder / 'partial' / 'runs'}"
    options = (*tiny.options, "-p", "session_plugin", "--harness-run=mine", runs)
    given = {"partial": ("-k", "test_ut1"), "whole": (), "served": ()}
    ended = terminal.run_in_turn({name: (*options, *own, "properties") for name, own in given.items()})
    run = ended["partial"]
    counted = (terminal.folder / "judged").read_text().split()
    assert counted == ["ut1"] * 13 + sorted(counted[13:])
    assert Counter(counted) == {"ut1": 13, "ut2": 7, "ut3": 7}
    left = f"run {run.run}: not sealed, 14 claims are not judged yet; continue with --harness-run"
    assert left in run.output
    assert run.files() == judged.files()
    sealed = (terminal.folder / "whole" / "status").stat().st_mtime_ns
    assert max(path.stat().st_mtime_ns for path in run.stage.iterdir()) <= sealed
    assert ended["served"].outcomes == ended["whole"].outcomes
    assert [session.status for session in ended.values()] == [1, 1, 1]
    line = f"formalization: continues in {run.run}, where 13 claims were judged before"
    assert [line in session.output for session in ended.values()] == [False, True, False]


def test_killed_session_is_continued(tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome) -> None:
    """After the SIGKILL of the whole session amid its items the shards of both workers stay, and the next session ends as if undisturbed.

    So workers change no byte; `latest` points to the run, and all processes end.
    """
    ended = terminal.run(tiny, processes=2, plugin=KILL_SESSION)
    kept, sealed = len(ended.shard_records()), ended.sealed
    again = terminal.run(tiny, plugin=COUNT)
    assert (terminal.left_running(), (again.runs / "latest").resolve()) == ([], again.run.resolve())
    judged_again = len((terminal.folder / "judged").read_text().split())
    total = len(judged.records("verdicts"))
    assert (sealed, 0 < kept < total, kept + judged_again, again.files() == judged.files()) == (
        False,
        True,
        total,
        True,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "target"),
    [
        (0, "os.killpg(0, signal.SIGINT)"),
        (2, "os.killpg(0, signal.SIGINT)"),
        (0, "os.kill(os.getpid(), signal.SIGTERM)"),
        (2, "os.kill(os.getppid(), signal.SIGTERM)"),
    ],
)
def test_interrupted_session_is_kept(
    tiny: InputFiles, cold_terminal: SessionTerminal, processes: int, target: str
) -> None:
    """Ctrl-C and SIGTERM end with status 2, keep what was judged, seal nothing, leave nothing running, and name no file that is not there."""
    plugin = KILL.replace("TARGET", target).replace("test_ut3[t-5:oak~yew]", "test_ut1[t-6:oak]")
    ended = cold_terminal.run(tiny, processes=processes, plugin=plugin)
    found = (ended.status, ended.shard_records() != [], ended.sealed, cold_terminal.left_running())
    assert found == (2, True, False, [])
    assert "in verdicts.jsonl" not in ended.output
    assert "INTERNALERROR" not in ended.output


@pytest.mark.slow
def test_killed_controller_leaves_nothing_running(tiny: InputFiles, cold_terminal: SessionTerminal) -> None:
    """With the controlling process killed, the workers end too."""
    cold_terminal.run(tiny, processes=2, plugin=KILL_CONTROLLER)
    assert cold_terminal.left_running(patience=10) == []


FULL_DISK = """
import errno, os
from harness.store import run_folder

written = []

class FullDisk:
    def __getattr__(self, name):
        return getattr(os, name)

    def write(self, descriptor, data):
        if len(written) >= ALLOWED:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(data)
        return os.write(descriptor, data)

run_folder.os = FullDisk()
"""
IMPATIENT = """
from harness.store import run_folder
run_folder.PATIENCE = 0.1
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "allowed"),
    [(0, 3), pytest.param(0, 0, marks=pytest.mark.slow), pytest.param(2, 1, marks=pytest.mark.slow)],
)
def test_a_full_disk_ends_the_session(
    tiny: InputFiles, terminal: SessionTerminal, judged: SessionOutcome, processes: int, allowed: int
) -> None:
    """Status 4 and one message; nothing is sealed, and the same command goes on to the same bytes when there is space."""
    plugin = FULL_DISK.replace("ALLOWED", str(allowed))
    ended = terminal.run(tiny, "-m", "formalization", processes=processes, plugin=plugin)
    assert (ended.status, ended.sealed, "Traceback" in ended.output) == (4, False, False)
    assert "cannot be written (No space left on device)" in ended.output
    assert "in verdicts.jsonl" not in ended.output
    assert len(ended.shard_records()) <= allowed * max(1, processes)
    again = terminal.run(tiny, "-m", "formalization")
    assert (again.sealed, again.files()) == (True, judged.files())


@pytest.mark.slow
def test_a_run_in_use_names_its_owner(tiny: InputFiles, terminal: SessionTerminal) -> None:
    """Status 4 and the process that works on the run, whose claims stay as they are; afterwards the run is free."""
    run = terminal.folder / "runs" / "mine"
    with held_lock(run, "--harness-run"):
        ended = terminal.run(tiny, "-m", "formalization", "--harness-run=mine", plugin=IMPATIENT)
        assert (ended.status, "Traceback" in ended.output, ended.shard_records()) == (4, False, [])
        assert f"another run works in this folder: process {os.getpid()} on " in ended.output
    assert terminal.run(tiny, "-m", "formalization", "--harness-run=mine").sealed
    assert not (run / ".lock").exists()


def test_progress_in_a_file() -> None:
    """Elsewhere than on a terminal there is a line every fifteen seconds; estimates leave out the time of preparing, the end counts it."""
    now, stream = [0.0], io.StringIO()
    progress = StageProgress("mutation", stream, lambda: now[0], lambda: 1.5 * now[0])
    now[0] = 40.0
    progress.began(200)
    for _ in range(20):
        now[0] += 1.0
        progress.advanced(10)
    progress.ended("sealed")
    assert stream.getvalue().splitlines() == [
        "mutation: 150 of 200 problems (75%), 15 s, ETA 5 s",
        "mutation: sealed, 1 min 0 s, 1 min 30 s of CPU",
    ]
