"""Benchmark of the engines: processor time and memory of the first stage by the number of answers, and by the answers to one problem."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.corpora.problems import load_corpus

SIZES = (1_000, 10_000)
LARGE = 100_000
"""Answers that the engine of one machine judges alone; `SCALE_LARGE=0` asks for none."""
ANSWERS = 3
"""Answers to each problem."""
CROWD, CROWDED = 1_000, "gsm8k-test-1"
PROCESSES = 2
ENGINES = ("local", "pytest", "ray")
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


def measure(data: Path) -> str:
    """Return the figures as Markdown."""
    large = int(os.environ.get("SCALE_LARGE", LARGE))
    rows: list[str] = []
    reports: list[str] = []
    per_answer: list[tuple[int, EngineFigures]] = []
    for count in (*SIZES, *([large] if large else [])):
        for engine in ENGINES if count in SIZES else ENGINES[:1]:
            with tempfile.TemporaryDirectory() as folder:
                corpus, answers = write_repeated_problems(data, Path(folder), count)
                found = figures(corpus, answers, corpus.parent / "run", engine)
                rows.append(figure_row(f"{count:,}", engine, found))
                if engine == ENGINES[0]:
                    per_answer.append((count, found))
                    reports += report_rows(count, corpus.parent / "run")
    with tempfile.TemporaryDirectory() as folder:
        corpus, answers = crowd(data, Path(folder), CROWD)
        rows.append(
            figure_row(f"{CROWD:,} to one problem", "local", figures(corpus, answers, corpus.parent / "run", "local"))
        )
    return "\n".join(
        [
            "## Scale",
            "",
            "    python -m benchmarks scale",
            "",
            f"The first stage (`oracle-factory judge --engine E --processes {PROCESSES}`, with the page) on real answers, renumbered, {ANSWERS} to a problem; the processes of Ray are not the command's own, so that their time and memory are not in it:",
            "",
            "| answers | engine | seconds | of CPU, command / others | peak MB, command / largest other |",
            "|---|---|---|---|---|",
            *rows,
            "",
            *_slope(per_answer),
            "",
            "Opening such a run again:",
            "",
            "| answers | report | seconds | peak MB | largest file of the page, MB |",
            "|---|---|---|---|---|",
            *reports,
        ]
    )


def figure_row(what: str, engine: str, found: EngineFigures) -> str:
    """Return the figures of a run as a row of the table."""
    cpu = f"{found.own_seconds:.0f} / {found.other_seconds:.0f}"
    return f"| {what} | {engine} | {found.wall:.0f} | {cpu} | {found.own_megabytes:,} / {found.largest_megabytes:,} |"


def _slope(found: list[tuple[int, EngineFigures]]) -> list[str]:
    """Return what a further answer takes by the engine of one machine, and what PLENTY would, from the smallest and the largest run."""
    (few, first), (many, last) = found[0], found[-1]
    more = many - few
    own, all_of_it = (
        (last.own_seconds - first.own_seconds) / more,
        (last.own_seconds + last.other_seconds - first.own_seconds - first.other_seconds) / more,
    )
    kilobytes = (last.own_megabytes - first.own_megabytes) * 1024 / more
    memory = last.own_megabytes + kilobytes * (PLENTY - many) / 1024
    return [
        (
            f"By `--engine local`, between {few:,} and {many:,} answers, a further answer takes {1000 * all_of_it:.1f} ms of CPU, of which {1000 * own:.1f} ms in the command alone, and {kilobytes:.2f} kB of the command's memory: "
            f"{PLENTY:,} answers would take {all_of_it * PLENTY / 3600:.1f} core-hours, {own * PLENTY / 3600:.1f} of them in the command, and {memory:,.0f} MB in it."
        )
    ]


def report_rows(count: int, run: Path) -> list[str]:
    """Return what opening a run again takes, in the terminal and as a page, as rows of a table."""
    rows = []
    for title, options in (("terminal", ()), ("page, written", ("--html",))):
        seconds, megabytes = opened(run, *options)
        files = [path.stat().st_size for path in (run / "report").glob("index*.html")] if options else []
        size = f"{max(files) / 1e6:.1f}, of {len(files)}" if files else ""
        rows.append(f"| {count:,} | {title} | {seconds:.1f} | {megabytes:,} | {size} |")
    return rows
