"""Sessions that tests start as a user does: by the command line, in a process of their own, on few claims."""

import itertools
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from properties.engine.stage_run import RECORD
from tests.json_lines import write_lines

Record = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
LONGEST_SESSION = 240.0
_MARK = "ORACLE_FACTORY_TEST_SESSION"
# Plugins of other distributions, which a session of ours does not use: importing them is a quarter of its start.
_UNUSED = tuple(f"-pno:{name}" for name in ("hypothesispytest", "anyio", "typeguard", "platformdirs"))
_IN_TURN = """
import json, os, sys, pathlib, pytest

for folder, options in json.loads(sys.argv[1]):
    with open(pathlib.Path(folder, "output"), "wb") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    status = pytest.main(options)
    sys.stdout.flush()
    pathlib.Path(folder, "status").write_text(str(int(status)))
"""

TINY_PROBLEMS: tuple[Record, ...] = (
    {"problem_id": "t-1", "question": "3 bags of 4 apples?", "answer": "3*4=<<3*4=12>>12\n#### 12"},
    {"problem_id": "t-2", "question": "5 shelves of 6 books, 7 are lent?", "answer": "5*6-7=23\n#### 23"},
    {"problem_id": "t-3", "question": "10 birds and 5 more?", "answer": "10+5=15\n#### 15"},
    {"problem_id": "t-4", "question": "Half of 18?", "answer": "18/2=9\n#### 9"},
    {"problem_id": "t-5", "question": "2 and 3?", "answer": "Nobody says."},
    {"problem_id": "t-6", "question": "8 less 1?", "answer": "8-1=7\n#### 7"},
)
"""Six problems: agreement, other words for the inputs, a wrong program, an unreadable one, no gold answer, a repeat."""

TINY_RESPONSES: tuple[Record, ...] = tuple(
    {"problem_id": problem_id, "model": model, "response": response}
    for problem_id, model, response in (
        ("t-1", "ash", "def solve(bags: int = 3, apples: int = 4):\n    return bags * apples"),
        ("t-1", "oak", "def solve(bags: int = 3, apples: int = 4):\n    total = apples * bags\n    return total"),
        ("t-1", "yew", "def solve(apples: int = 4, bags: int = 3):\n    return sum_of\n"),
        (
            "t-2",
            "oak",
            "def solve(shelves: int = 5, books: int = 6, lent: int = 7):\n    return shelves * books - lent",
        ),
        ("t-2", "yew", "def solve(racks: int = 5, books: int = 6, lent: int = 7):\n    return racks * books - lent"),
        ("t-3", "oak", "def solve(birds: int = 10, more: int = 5):\n    return birds + more"),
        ("t-3", "yew", "def solve(birds: int = 10, joining: int = 5):\n    return birds - joining"),
        ("t-4", "oak", "def solve(number: int = 18):\n    return number / 2"),
        ("t-4", "yew", "I cannot write that."),
        ("t-5", "oak", "def solve(first: int = 2, second: int = 3):\n    return first + second"),
        ("t-5", "yew", "def solve(first: int = 2, second: int = 3):\n    return second + first"),
        ("t-6", "oak", "def solve(eggs: int = 8):\n    return eggs - 1"),
        ("t-6", "oak", "def solve(eggs: int = 8):\n    return eggs - 1"),
    )
)


@dataclass(frozen=True, slots=True)
class InputFiles:
    """A corpus and the formalizations of it, on disk; where a `marker` is named, sessions run its stage alone."""

    corpus: Path
    formalizations: Path
    marker: str | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options that give them to a session."""
        marked = () if self.marker is None else ("-m", self.marker)
        return f"--harness-corpus={self.corpus}", f"--harness-formalizations={self.formalizations}", *marked


def write_inputs(folder: Path, problems: Iterable[Record], responses: Iterable[Record | str]) -> InputFiles:
    """Write a corpus and its formalizations."""
    folder.mkdir(parents=True, exist_ok=True)
    return InputFiles(
        write_lines(folder / "corpus.jsonl", problems), write_lines(folder / "formalizations.jsonl", responses)
    )


def template_record(problem_id: str, *lines: tuple[str, str], model: str = "oak") -> Record:
    """Return a template whose lines are code, its statements separated by `; `, and wording; the last variable is the answer."""
    code, steps = ["def solve():"], []
    for place, (body, wording) in enumerate(lines, start=1):
        code += [f"    # L{place}", *(f"    {line}" for line in body.split("; "))]
        steps.append(
            {
                "line_number": f"L{place}",
                "question_inputs": [],
                "WK_inputs": [],
                "output_variable": body.split("; ")[-1].split(" = ")[0],
                "solution_line_template": wording,
            }
        )
    code += ["    # FA", f"    answer = {steps[-1]['output_variable']}", "    return answer"]
    response = json.dumps({"function_code": "\n".join(code), "logical_steps": steps})
    return {"problem_id": problem_id, "model": model, "response": response}


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """What a session left: exit status, what it printed, and its run folders."""

    status: int
    output: str
    runs: Path

    @property
    def run(self) -> Path:
        """Return the only run folder.

        Raises:
            ValueError: there is none, or more than one.
        """
        (folder,) = (path for path in self.runs.iterdir() if not path.is_symlink())
        return folder

    @property
    def stage(self) -> Path:
        """Return the folder of the formalization stage."""
        return self.run / "formalization"

    @property
    def sealed(self) -> bool:
        """Tell whether the formalization stage is sealed."""
        return (self.stage / "manifest.json").is_file()

    def files(self, stage: str = "formalization") -> dict[str, bytes]:
        """Return the content of every file of a stage by its path within."""
        folder = self.run / stage
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in paths}

    def records(self, name: str, stage: str = "formalization") -> list[Record]:
        """Return the records of a file of a stage, `consensus` or `verdicts` say."""
        return [json.loads(line) for line in (self.run / stage / f"{name}.jsonl").read_bytes().splitlines()]

    def manifest(self, stage: str) -> Record:
        """Return the manifest of a sealed stage."""
        manifest: Record = json.loads((self.run / stage / "manifest.json").read_bytes())
        return manifest

    def verdicts(self, claim: str) -> dict[tuple[str, ...], Record]:
        """Return the verdicts of a claim by problem, left and, of a pair, right."""
        return {
            tuple(filter(None, (record["problem_id"], record["left"], record["right"]))): record
            for record in self.records("verdicts")
            if record["claim"] == claim
        }

    def shard_records(self) -> list[Record]:
        """Return the verdicts that the shards hold, whole lines only."""
        lines = (line for path in sorted(self.stage.glob("shards/*.jsonl")) for line in path.read_bytes().split(b"\n"))
        return [record for line in lines if line.endswith(b"}") and (record := json.loads(line))["claim"] != RECORD]

    @property
    def outcomes(self) -> Counter[str]:
        """Return the counts of pytest's last line: passed, failed, xfailed, errors."""
        words = self.output.strip().splitlines()[-1].replace(",", "").replace("errors", "error").split()
        return Counter({word: int(number) for number, word in itertools.pairwise(words) if number.isdigit()})


@dataclass(frozen=True, slots=True)
class SessionTerminal:
    """Where sessions are started: a scratch folder, and the embeddings that sessions share."""

    folder: Path
    cache: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of sessions, marked so that nothing they leave running goes unseen."""
        ours = {"ORACLE_FACTORY_CACHE": str(self.cache), "PYTHONPATH": str(self.folder), _MARK: str(self.folder)}
        # Sessions that may not keep bytecode compile every module and rewrite its asserts again: a third of their time.
        dropped = ("PYTEST_", "COLUMNS", "PYTHONDONTWRITEBYTECODE")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        return {**kept, **ours, "PATH": path}

    def command(self, *options: str, processes: int = 0, runs: str = "runs") -> list[str]:
        """Return the command line of a session."""
        runs_option = f"--harness-runs={self.folder / runs}"
        return [sys.executable, "-m", "pytest", *_UNUSED, f"-n{processes}", runs_option, *options]

    def run(
        self,
        inputs: InputFiles | None,
        *options: str,
        processes: int = 0,
        runs: str = "runs",
        plugin: str | None = None,
        environment: Mapping[str, str] | None = None,
        target: str = "properties",
    ) -> SessionOutcome:
        """Run a session to its end; `plugin` is the source of a pytest plugin it loads."""
        options = (*(inputs.options if inputs else ()), *options)
        if plugin is not None:
            (self.folder / "session_plugin.py").write_text(plugin)
            options = ("-p", "session_plugin", *options)
        command = self.command(*options, target, processes=processes, runs=runs)
        return self.execute(command, runs=runs, environment=environment)

    def run_in_turn(self, sessions: Mapping[str, Sequence[str]]) -> dict[str, SessionOutcome]:
        """Run sessions without workers one after another in one process, which imports everything once.

        Each session has a name, its options with its target, and its own folder of runs.
        """
        given = []
        for name, options in sessions.items():
            (self.folder / name).mkdir(exist_ok=True)
            given.append(
                (str(self.folder / name), [*_UNUSED, "-n0", f"--harness-runs={self.folder / name / 'runs'}", *options])
            )
        ended = self.execute([sys.executable, "-c", _IN_TURN, json.dumps(given)])
        outcomes = {}
        for name in sessions:
            status, log = (self.folder / name / part for part in ("status", "output"))
            if not status.is_file():
                raise RuntimeError(f"session {name!r} did not end:\n{ended.output}\n{log.read_text(errors='replace')}")
            outcomes[name] = SessionOutcome(
                int(status.read_text()), log.read_text(errors="replace"), log.parent / "runs"
            )
        return outcomes

    def execute(
        self, command: Sequence[str], *, runs: str = "runs", environment: Mapping[str, str] | None = None
    ) -> SessionOutcome:
        """Run a command from the repository's root, in a process group of its own."""
        log = self.folder / "output"
        with log.open("wb") as stream:
            ended = subprocess.run(
                command,
                cwd=ROOT,
                env={**self.environment, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                timeout=LONGEST_SESSION,
                start_new_session=True,
                check=False,
            )
        return SessionOutcome(ended.returncode, log.read_text(errors="replace"), self.folder / runs)

    def left_running(self, patience: float = 20.0) -> list[str]:
        """Return the command lines of processes of these sessions that are still there after so many seconds."""
        deadline = time.monotonic() + patience
        mark = f"{_MARK}={self.folder}".encode()
        while True:
            found = [command for folder in Path("/proc").glob("[0-9]*") if (command := _command(folder, mark))]
            if not found or time.monotonic() > deadline:
                return found
            time.sleep(0.05)


def _command(process: Path, mark: bytes) -> str | None:
    """Return the command line of a process that has the mark in its environment."""
    try:
        if mark in (process / "environ").read_bytes().split(b"\0"):
            return (process / "cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:
        pass
    return None
