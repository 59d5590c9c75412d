"""Tests of the lock of a run: one process holds it, the others learn which, and a dead process holds nothing."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.store.run_lock import LOCK, held_lock
from tests.properties.session_process import ROOT

HOLDER = """
import sys, pathlib
from harness.store.run_lock import held_lock
with held_lock(pathlib.Path(sys.argv[1]), "--run"):
    print("held", flush=True)
    sys.stdin.read()
"""
ADDING = """
import sys, pathlib
from harness.store import run_lock
run_lock.PATIENCE = 60
path = pathlib.Path(sys.argv[1])
for _ in range(20):
    with run_lock.held_lock(path, "--run"):
        count = path / "count"
        number = int(count.read_text()) if count.exists() else 0
        count.write_text(str(number + 1))
"""


def started(script: str, folder: Path) -> subprocess.Popen[str]:
    """Start a script on a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, str(folder)]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_the_owner_is_named_and_a_dead_one_holds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process is refused by the process, the host and the time of the first; after a kill it is not."""
    monkeypatch.setattr("harness.store.run_lock.PATIENCE", 0.1)
    owner = started(HOLDER, tmp_path)
    assert owner.stdout is not None
    assert owner.stdout.readline() == "held\n"
    words = rf"--run {re.escape(str(tmp_path))}: another run works in this folder: process {owner.pid} on .+, since 20.+; wait"
    with pytest.raises(HarnessError, match=words), held_lock(tmp_path, "--run"):
        pass
    owner.send_signal(signal.SIGKILL)
    owner.communicate()
    with held_lock(tmp_path, "--run"):
        assert (tmp_path / LOCK).exists()
    assert list(tmp_path.iterdir()) == []


def test_holders_come_one_after_the_other(tmp_path: Path) -> None:
    """Of four processes that count up in turns no count is lost, although each deletes the file of the lock."""
    processes = [started(ADDING, tmp_path) for _ in range(4)]
    assert [process.communicate(timeout=60)[0] for process in processes] == [""] * 4
    assert [process.returncode for process in processes] == [0] * 4
    assert (tmp_path / "count").read_text() == "80"
