"""Benchmark of the engines: processor time and memory of the first stage by the number of answers, and by the answers to one problem."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import load_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = (1_000, 3_000)
ANSWERS = 3
"""Answers to each problem."""
CROWD, CROWDED = 1_000, "gsm8k-test-1"
PROCESSES = 2
ENGINES = ("local", "pytest", "ray")
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


def renumbered(data: Path, folder: Path, count: int) -> tuple[Path, Path]:
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


def figures(corpus: Path, answers: Path, out: Path, engine: str) -> EngineFigures:
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


def measure(data: Path) -> str:
    """Return the figures as Markdown."""
    return "\n".join(
        [
            "## Scale",
            "",
            "    python -m benchmarks scale",
            "",
            f"The first stage (`oracle-factory judge --engine E --processes {PROCESSES}`, with the page) on real answers, renumbered, {ANSWERS} to a problem:",
            "",
            "| answers | engine | seconds | of CPU, command / others | peak MB, command / largest other |",
            "|---|---|---|---|---|",
            *_rows(data),
        ]
    )


def _rows(data: Path) -> Iterator[str]:
    for count in SIZES:
        for engine in ENGINES:
            with tempfile.TemporaryDirectory() as folder:
                yield _row(f"{count:,}", engine, *renumbered(data, Path(folder), count))
    with tempfile.TemporaryDirectory() as folder:
        yield _row(f"{CROWD:,} to one problem", "local", *crowd(data, Path(folder), CROWD))


def _row(what: str, engine: str, corpus: Path, answers: Path) -> str:
    found = figures(corpus, answers, corpus.parent / "run", engine)
    cpu = f"{found.own_seconds:.0f} / {found.other_seconds:.0f}"
    return f"| {what} | {engine} | {found.wall:.0f} | {cpu} | {found.own_megabytes:,} / {found.largest_megabytes:,} |"
