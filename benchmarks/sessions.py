"""Runs of whole pytest sessions as separate processes, with their wall time and peak memory."""

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATASETS = {
    "parametric": ("gsm8k/train.jsonl", "formalizations/parametric.jsonl"),
    "templates": ("gsm8k/train.jsonl", "formalizations/templates.jsonl.gz"),
    "programs": ("gsm8k/test.jsonl", "formalizations/programs.jsonl.gz"),
    "svamp": ("svamp/problems.jsonl", "svamp/problems.jsonl"),
}


class DataMissing(FileNotFoundError):
    """A file that a section reads is not there."""

    def __init__(self, path: Path) -> None:
        """Name the file."""
        super().__init__(f"{path} does not exist. Set SHARED_DATA to the folder of the real data.")


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


def require(*names: str, data: Path) -> None:
    """Raise where files of a data set are not there.

    Raises:
        DataMissing: names the first file that is missing.
    """
    for name in names:
        for path in DATASETS.get(name, (name,)):
            if not (data / path).exists():
                raise DataMissing(data / path)


def sealed_stage(name: str, stage: str, runs: Path, done: Session) -> Path:
    """Return the folder of a stage that a session sealed.

    Raises:
        RuntimeError: the session left no sealed stage; the message has the end of its output.
    """
    folder = runs / name / stage
    if not (folder / "manifest.json").exists():
        raise RuntimeError(f"The session ended with status {done.status} and no sealed stage:\n{done.output[-2000:]}")
    return folder


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def by_status(verdicts: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of verdicts of each status, and of all."""
    counts = Counter(verdict["status"] for verdict in verdicts)
    return {"all": counts.total(), **{status: counts[status] for status in ("CONFIRMED", "REFUTED", "UNKNOWN")}}


def recheck_counts(path: Path, solver: str) -> dict[str, Any]:
    """Re-check a file by `oracle-factory recheck`; return the verdicts by claim and the seconds it took.

    Raises:
        RuntimeError: the command printed no table of verdicts.
    """
    command = [sys.executable, "-m", "oracle_factory", "recheck", str(path), "--solver", solver, "--jobs", "2"]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = re.findall(r"^│ ([\w-]+) +│ +([\d,]+) +│ +([\d,]+) +│ +([\d,]+) +│", done.stdout, re.MULTILINE)
    if not rows:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    names = ("CONFIRMED", "UNKNOWN", "REFUTED")
    verdicts = {
        claim: dict(zip(names, (int(cell.replace(",", "")) for cell in cells), strict=True)) for claim, *cells in rows
    }
    return {**verdicts, "seconds": round(time.perf_counter() - began)}
