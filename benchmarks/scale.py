"""Benchmark of the engines: processor time and memory of the first stage by the number of answers, and by the answers to one problem."""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.sessions import require
from harness.corpora.problems import load_corpus

SIZES = (1_000, 10_000)
LARGE = 100_000
"""Answers that the engine of one machine judges alone; `SCALE_LARGE=0` asks for none."""
ANSWERS = 3
"""Answers to each problem."""
CROWD, CROWDED = 1_000, "gsm8k-test-1"
PROCESSES = 2
ENGINES = ("local", "ray")
PLENTY = 1_000_000
_OPENED = """
import contextlib, io, resource, sys, time
from oracle_factory.command import main

began = time.monotonic()
with contextlib.redirect_stdout(io.StringIO()):
    status = main(sys.argv[1:])
print("figures", status, time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
_CHILD = """
import resource, sys, time
from oracle_factory.command import main

began = time.monotonic()
status = main(sys.argv[1:])
wall = time.monotonic() - began
own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
seconds = [usage.ru_utime + usage.ru_stime for usage in (own, others)]
print("figures", status, wall, *seconds, own.ru_maxrss // 1024, others.ru_maxrss // 1024)
"""


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """What one run took: seconds of the clock, processor seconds and peak megabytes of the command and of the processes it waited for."""

    wall: float
    own_seconds: float
    other_seconds: float
    own_megabytes: int
    largest_megabytes: int


def real_answers(data: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the public programs by problem."""
    answers: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(data / "formalizations" / "programs.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            answers[record["problem_id"]].append(record)
    return answers


def write_repeated_problems(data: Path, folder: Path, count: int) -> tuple[Path, Path]:
    """Write so many real answers, three to a problem; problems are repeated under new ids, with other models' answers first."""
    answers = real_answers(data)
    questions = {problem.problem_id: problem for problem in load_corpus(str(data / "gsm8k" / "test.jsonl"))}
    corpus, given = folder / "problems.jsonl", folder / "answers.jsonl"
    known = sorted(answers)
    with corpus.open("w", encoding="utf-8") as problems, given.open("w", encoding="utf-8") as lines:
        for number in range(count // ANSWERS):
            source, copy = known[number % len(known)], number // len(known)
            problem, name = questions[source], f"r{number:08}"
            answer = f"{problem.solution}\n#### {problem.gold}"
            problems.write(json.dumps({"problem_id": name, "question": problem.question, "answer": answer}) + "\n")
            for place in range(ANSWERS):
                record = answers[source][(copy * ANSWERS + place) % len(answers[source])]
                lines.write(json.dumps({**record, "problem_id": name}) + "\n")
    return corpus, given


def crowd(data: Path, folder: Path, count: int) -> tuple[Path, Path]:
    """Write so many answers to one problem: its real ones, and these again with the names of all their variables changed."""
    own = real_answers(data)[CROWDED]
    corpus, given = folder / "problems.jsonl", folder / "answers.jsonl"
    (problem,) = (
        problem for problem in load_corpus(str(data / "gsm8k" / "test.jsonl")) if problem.problem_id == CROWDED
    )
    record = {
        "problem_id": CROWDED,
        "question": problem.question,
        "answer": f"{problem.solution}\n#### {problem.gold}",
    }
    corpus.write_text(json.dumps(record) + "\n", encoding="utf-8")
    with given.open("w", encoding="utf-8") as lines:
        for number in range(count):
            answer, copy = own[number % len(own)], number // len(own)
            text = answer["response"]
            names = sorted(set(re.findall(r"^(\w+) = ", text, re.MULTILINE)) - {"ans", "answer"}, key=len)
            for name in reversed(names if copy else []):
                text = re.sub(rf"\b{name}\b", f"{name}_{copy}", text)
            lines.write(json.dumps({**answer, "model": f"{answer['model']}#{copy}", "response": text}) + "\n")
    return corpus, given


def engine_figures(corpus: Path, answers: Path, out: Path, engine: str) -> EngineFigures:
    """Judge answers by an engine in a process of its own.

    Raises:
        RuntimeError: the command did not end with status 0.
    """
    options = ["judge", str(corpus), str(answers), "--out", str(out), "--engine", engine, "-j", str(PROCESSES)]
    ended = subprocess.run([sys.executable, "-c", _CHILD, *options], capture_output=True, text=True, check=False)
    last = ended.stdout.strip().rpartition("\n")[2].split()
    if last[:2] != ["figures", "0"]:
        raise RuntimeError(f"{engine}: {(ended.stdout + ended.stderr)[-2000:]}")
    wall, own, others, own_peak, largest_peak = map(float, last[2:])
    return EngineFigures(wall, own, others, int(own_peak), int(largest_peak))


def opened(run: Path, *options: str) -> tuple[float, int]:
    """Return the seconds and the peak megabytes of `oracle-factory report` on a run.

    Raises:
        RuntimeError: the command did not end with status 0.
    """
    ended = subprocess.run(
        [sys.executable, "-c", _OPENED, "report", str(run), *options], capture_output=True, text=True, check=False
    )
    last = ended.stdout.strip().rpartition("\n")[2].split()
    if last[:2] != ["figures", "0"]:
        raise RuntimeError(f"report {options}: {(ended.stdout + ended.stderr)[-2000:]}")
    return float(last[2]), int(last[3])


def measure(data: Path) -> dict[str, Any]:
    """Judge real answers, renumbered, three to a problem, by each engine; and many answers to one problem.

    The processes of Ray are not the command's own, so that their time and memory are not in it.
    """
    require("programs", data=data)
    large = int(os.environ.get("SCALE_LARGE", LARGE))
    sizes = {f"{count} {engine}": (count, engine) for count in SIZES for engine in ENGINES}
    if large:
        sizes[f"{large} {ENGINES[0]}"] = large, ENGINES[0]
    figures = {name: _judged(data, *size) for name, size in sizes.items()}
    with tempfile.TemporaryDirectory() as folder:
        corpus, answers = crowd(data, Path(folder), CROWD)
        figures[f"{CROWD} to one problem"] = asdict(engine_figures(corpus, answers, corpus.parent / "run", ENGINES[0]))
    return figures


def measure_large(data: Path) -> dict[str, Any]:
    """Judge a million answers by the engine of one machine; `SCALE_ANSWERS=50000` asks for fewer."""
    require("programs", data=data)
    return _judged(data, int(os.environ.get("SCALE_ANSWERS", PLENTY)), ENGINES[0])


def _judged(data: Path, count: int, engine: str) -> dict[str, Any]:
    """Judge so many answers and open the run again: seconds, processor seconds and peak megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, answers = write_repeated_problems(data, Path(folder), count)
        run = corpus.parent / "run"
        figures: dict[str, Any] = {"answers": count, **asdict(engine_figures(corpus, answers, run, engine))}
        if engine == ENGINES[0]:
            for name, options in (("report", ()), ("page", ("--html",))):
                figures[f"{name}_seconds"], figures[f"{name}_megabytes"] = opened(run, *options)
            pages = [path.stat().st_size for path in (run / "report").glob("index*.html")]
            figures["page_files"], figures["largest_page_megabytes"] = len(pages), max(pages) / 1e6
            figures["run_gigabytes"] = sum(path.stat().st_size for path in run.rglob("*") if path.is_file()) / 1e9
    return figures
