"""Tests of faults around a session: a full disk, a run in use, files that are not there."""

import os

import pytest

from harness.store.run_lock import held_lock
from tests.properties.session_process import InputFiles, SessionOutcome, SessionTerminal

FULL_DISK = """
import errno
from harness.store import run_folder

write, written = run_folder.Shard._write, []

def full(shard, data):
    if len(written) >= ALLOWED:
        raise OSError(errno.ENOSPC, "No space left on device")
    written.append(data)
    write(shard, data)

run_folder.Shard._write = full
"""
IMPATIENT = """
from harness.store import run_lock
run_lock.PATIENCE = 0.1
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
