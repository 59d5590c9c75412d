"""Runs of whole pytest sessions as separate processes, with their wall time and peak memory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

DATASETS = {
    "parametric": ("gsm8k/train.jsonl", "formalizations/parametric.jsonl"),
    "templates": ("gsm8k/train.jsonl", "formalizations/templates.jsonl.gz"),
    "programs": ("gsm8k/test.jsonl", "formalizations/programs.jsonl.gz"),
    "svamp": ("svamp/problems.jsonl", "svamp/problems.jsonl"),
}


@dataclass(frozen=True, slots=True)
class Session:
    """One finished pytest session: its status, wall seconds, peak resident megabytes of its largest process, output."""

    status: int
    seconds: float
    megabytes: float
    output: str

    @property
    def items(self) -> int:
        """Return how many items pytest says it ran."""
        closing = re.findall(r"^.* in [\d.]+s\b.*$", self.output, re.MULTILINE)[-1]
        return sum(map(int, re.findall(r"(\d+) (?:passed|failed|xfailed|errors?)", closing)))


def session(arguments: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Session:
    """Run pytest on the arguments."""
    command = [sys.executable, "-c", _CHILD, *arguments]
    started = time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **(environment or {})}
    )
    seconds = time.perf_counter() - started
    peak = [line for line in done.stdout.splitlines() if line.startswith("peak-kilobytes ")]
    return Session(
        done.returncode, seconds, int(peak[-1].split()[1]) / 1024 if peak else 0.0, done.stdout + done.stderr
    )


# Run pytest, then print the peak of this process and of its children, whichever is the larger.
_CHILD = """
import pytest, resource, sys
status = pytest.main(sys.argv[1:])
print("peak-kilobytes", max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
sys.exit(status)
"""


def programs_session(data: Path, runs: Path) -> Session:
    """Run the stage on `programs`, minutes long, once a benchmark run: figures and speed are of the same session."""
    if not _PROGRAMS:
        _PROGRAMS.append(session(stage_options("programs", data, runs)))
    return _PROGRAMS[0]


_PROGRAMS: list[Session] = []


def stage_options(name: str, data: Path, runs: Path, *, workers: str = "0", marker: str = "formalization") -> list[str]:
    """Return the options that run a stage on a data set."""
    corpus, formalizations = DATASETS[name]
    return [
        "-q",
        f"-n{workers}",
        "-m",
        marker,
        "--harness-gate=none",
        f"--harness-corpus={data / corpus}",
        f"--harness-formalizations={data / formalizations}",
        f"--harness-runs={runs}",
        f"--harness-run={name}",
    ]


def shown_command(name: str, *, workers: str = "0") -> str:
    """Return the command a reader types for the same session."""
    corpus, formalizations = DATASETS[name]
    return (
        f"pytest -q -n{workers} -m formalization --harness-gate=none --harness-corpus=$SHARED_DATA/{corpus} "
        f"--harness-formalizations=$SHARED_DATA/{formalizations} --harness-run={name}"
    )


def available(name: str, data: Path) -> bool:
    """Tell whether the data set is there."""
    return all((data / path).is_file() for path in DATASETS[name])
