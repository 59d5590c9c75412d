"""Tests of stages and factory runs that SIGKILL ends at random moments, whole or a worker alone: same bytes, no false seal."""

import contextlib
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.paths import ROOT
from tests.properties.session_process import SessionTerminal
from tests.properties.stage_inputs import OPTIONS

pytestmark = pytest.mark.slow

KILLS = 13
FACTORY_KILLS = 22
"""With `KILLS` of six stages, a hundred."""
LONGEST = 300.0


def _is_killed(
    command: list[str], folder: Path, environment: dict[str, str], after: float | None, draw: random.Random
) -> bool:
    """Run a command; after so many seconds kill its whole group, or one of its child processes and let the rest end."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    try:
        process.wait(after or LONGEST)
    except subprocess.TimeoutExpired:
        assert after is not None, f"no end within {LONGEST} s"
    else:
        return False
    try:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
        if children and draw.random() < 0.5:
            os.kill(int(draw.choice(children)), signal.SIGKILL)
            process.wait(LONGEST)
    except OSError:
        pass
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return True


def _false_seals(run: Path) -> list[str]:
    """Return the files that a manifest names with another content than they have."""
    return [
        str(file)
        for manifest in sorted(run.glob("*/manifest.json"))
        for name, sealed in json.loads(manifest.read_bytes())["files"].items()
        if not (file := manifest.parent / name).is_file()
        or hashlib.sha256(file.read_bytes()).hexdigest() != sealed["sha256"]
    ]


def _killed_again_and_again(
    start: Callable[[Path, float | None, random.Random], bool], folder: Path, kills: int, seed: str
) -> None:
    """Kill a run at random moments until so many kills hit it, a new run whenever one ended; each ends with the undisturbed bytes."""
    draw = random.Random(seed)
    begun = time.monotonic()
    assert not start(folder / "undisturbed" / "run", None, draw)
    most = time.monotonic() - begun
    expected = _sealed(folder / "undisturbed" / "run")
    assert expected
    hits = number = 0
    while hits < kills:
        number += 1
        run = folder / f"{number}" / "run"
        # A run that is killed again and again gets on: what was written before is there.
        while (killed := start(run, draw.uniform(0, most), draw)) and hits < kills:
            hits += 1
            assert _false_seals(run) == []
        if killed:
            start(run, None, draw)
        assert (_false_seals(run), _sealed(run)) == ([], expected), (folder / "log").read_text(errors="replace")[-3000:]


def _sealed(run: Path) -> dict[str, bytes]:
    """Return the files of all sealed stages of a run by their path, with manifests."""
    return {
        str(file.relative_to(run)): file.read_bytes()
        for manifest in sorted(run.glob("*/manifest.json"))
        for file in (manifest, *(manifest.parent / name for name in json.loads(manifest.read_bytes())["files"]))
    }


@pytest.mark.parametrize("stage", sorted(OPTIONS))
def test_a_stage_that_is_killed_at_random(stage: str, terminal: SessionTerminal, tmp_path: Path) -> None:
    """A session, or a worker of one, is killed anywhere from its start to its seal; the same command goes on to the same bytes."""
    (tmp_path / "given").mkdir()
    given = (*OPTIONS[stage](tmp_path / "given"), "-m", stage)

    def start(run: Path, after: float | None, draw: random.Random) -> bool:
        processes = draw.choice([0, 2]) if after is not None else 0
        options = (*given, f"--harness-run={run}", "--harness-report=none", "properties")
        return _is_killed(terminal.command(*options, processes=processes), tmp_path, terminal.environment, after, draw)

    _killed_again_and_again(start, tmp_path, KILLS, stage)


def test_a_factory_run_that_is_killed_at_random(terminal: SessionTerminal, tmp_path: Path) -> None:
    """The law above holds for `oracle-factory run`, from formalizations to datasets."""
    answers = str(ROOT / "corpora" / "mini" / "formalizations.jsonl")

    def start(run: Path, after: float | None, draw: random.Random) -> bool:
        command = [sys.executable, "-m", "oracle_factory", "run", "mini", answers, "annotation", "--problems", "0:2"]
        environment = {**terminal.environment, "PYTHONPATH": str(ROOT)}
        return _is_killed([*command, "--out", str(run), "-j2"], tmp_path, environment, after, draw)

    _killed_again_and_again(start, tmp_path, FACTORY_KILLS, "factory")
