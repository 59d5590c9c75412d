"""Benchmark of the mutation stage on real templates: yield, certificate and audit checks, speed and shortcuts.

`python -m benchmarks mutation` measures all of it; `python -m benchmarks.mutation` prints the speed alone.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.sessions import DATASETS, available, session, stage_options
from benchmarks.shortcuts import FEWEST, area_under_curve, drawn_pairs
from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.formalizations.annotation.compiler import MODEL
from harness.corpora.labelled_solutions import LabelledSolution, read_labelled
from harness.corpora.problems import load_corpus
from harness.corpora.responses import load_responses
from harness.paths import data_folder
from harness.store.run_folder import dump
from oracles.labels.audit.label_verdict import audit
from properties.engine.stage_run import RARELY
from properties.stages.certified_flaws import make_from

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "templates"
PART = "3/16"
"""The slice of the problems that is measured."""
CORPUS, FORMALIZATIONS = DATASETS[NAME]
COMMAND = f"pytest -q -n2 -m mutation properties --harness-gate=none --harness-corpus=$SHARED_DATA/{CORPUS} --harness-formalizations=$SHARED_DATA/{FORMALIZATIONS} --harness-formalizations=annotation --harness-slice={PART} --harness-run={NAME}"
FILES = ("computational", "conceptual")
MOST_OF_ALL, MOST_OF_A_TYPE = 2_000, 800
Record = dict[str, Any]


def measure(data: Path) -> str:
    """Run the mutation stage on the templates, check what it made in every way there is, and return the figures as Markdown."""
    head = "## Flawed solutions\n\n    python -m benchmarks mutation"
    if not available(NAME, data):
        return f"{head}\n\nNot measured: the data are not there."
    speed = _speed(data)
    with tempfile.TemporaryDirectory() as runs:
        options = stage_options(NAME, data, Path(runs), workers="2", marker="mutation")
        done = session([*options, f"--harness-formalizations={MODEL}", f"--harness-slice={PART}", "properties"])
        stage = Path(runs, NAME, "mutation")
        if not (stage / "manifest.json").exists():
            return f"{head}\n\nThe session failed with status {done.status}:\n\n```\n{done.output[-2000:]}\n```"
        counts = json.loads((stage / "manifest.json").read_text(encoding="utf-8"))["counts"]
        made = _made(counts, stage)
        made += [("the session", f"{done.seconds:,.0f} s, peak {done.megabytes:,.0f} MB of its largest process")]
        sections = [head, f"    {COMMAND}", _table(made), _checks(stage), _operators(counts), speed, _shortcuts(stage)]
    return "\n\n".join(sections)


def _table(rows: list[tuple[str, str]]) -> str:
    return "\n".join(["| what | figure |", "|---|---|", *(f"| {label} | {value} |" for label, value in rows)])


def _records(stage: Path, name: str) -> Iterator[Record]:
    with (stage / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _made(counts: Record, stage: Path) -> list[tuple[str, str]]:
    sources = counts["sources"]
    unfit = ", ".join(f"{count:,} {why}" for why, count in sorted(counts.get("unfit", {}).items()))
    rows = [
        ("problems", f"{counts['problems']:,}"),
        (
            "solutions made from, by who wrote the template",
            ", ".join(f"{n:,} {who}" for who, n in sources.items() if who != "none"),
        ),
        ("problems of which nothing is made", f"{sources.get('none', 0):,}: {unfit}"),
    ]
    for name in FILES:
        edits = 0
        texts: set[int] = set()
        total = 0
        for record in _records(stage, name):
            total += 1
            edits += record["needs_edit"]
            texts.add(hash((record["problem_id"], record["flawed_solution"])))
        rows.append(
            (f"{name}: distinct flawed solutions", f"{len(texts):,} of {total:,}; {edits:,} need a person's edit")
        )
    types = ", ".join(f"{count:,} {name}" for name, count in sorted(counts["types"].items(), key=_most_first))
    return [*rows, ("by type", types)]


def _most_first(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _operators(counts: Record) -> str:
    dropped: dict[str, Counter[str]] = {}
    for name, count in counts["discarded"].items():
        operator, _, why = name.partition(" ")
        dropped.setdefault(operator, Counter())[why] = count
    rows = ["| operator | flawed solutions | need edit | discarded |", "|---|---|---|---|"]
    for operator in sorted({*counts["operators"], *dropped}):
        why = ", ".join(
            f"{count:,} {name}" for name, count in sorted(dropped.get(operator, Counter()).items(), key=_most_first)
        )
        rows.append(
            f"| {operator} | {counts['operators'].get(operator, 0):,} | {counts.get('needs_edit', {}).get(operator, 0):,} | {why} |"
        )
    return "\n".join(rows)


def _checks(stage: Path) -> str:
    """Re-check every certificate by both solvers and audit every label."""
    rows = []
    for solver in ("z3", "cvc5"):
        for name in FILES:
            started = time.perf_counter()
            command = [
                sys.executable,
                "-m",
                "oracle_factory",
                "recheck",
                str(stage / f"{name}.jsonl"),
                "--solver",
                solver,
                "--jobs",
                "2",
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            seconds = time.perf_counter() - started
            found = re.findall(r"^│ ([\w-]+) +│ +([\d,]+) +│ +([\d,]+) +│ +([\d,]+) +│", done.stdout, re.MULTILINE)
            said = "; ".join(f"{claim}: {yes} / {unknown} / {no}" for claim, yes, unknown, no in found)
            rows.append(
                (
                    f"`oracle-factory recheck {name}.jsonl --solver {solver} --jobs 2`: CONFIRMED / UNKNOWN / REFUTED",
                    f"{said or done.stdout[-300:] + done.stderr[-300:]} ({seconds:,.0f} s)",
                )
            )
    for name in FILES:
        started = time.perf_counter()
        verdicts: Counter[str] = Counter()
        causes: Counter[str] = Counter()
        for solution in read_labelled([stage / f"{name}.jsonl"]):
            if not isinstance(solution, LabelledSolution):
                verdicts["REJECTED"] += 1
                continue
            verdict = audit(solution, None, solution.problem_id or "")
            verdicts[verdict.status.name] += 1
            causes.update(finding.cause for finding in verdict.findings)
        said = ", ".join(f"{count:,} {status}" for status, count in verdicts.most_common())
        named = ", ".join(f"{count:,} {cause}" for cause, count in causes.most_common()) or "none"
        rows.append(
            (
                f"{name} labels through the audit (`pytest -m label`)",
                f"{said}; findings: {named} ({time.perf_counter() - started:,.0f} s)",
            )
        )
    return _table(rows)


def _speed(data: Path) -> str:
    """Make, certify and serialize in this process, problem by problem, as a stream; garbage is collected as in a session."""
    problems = {problem.problem_id: problem for problem in load_corpus(str(data / CORPUS))}
    responses = load_responses([data / FORMALIZATIONS], frozenset(problems)).accepted
    gc.freeze()
    gc.set_threshold(*RARELY)
    rates: list[float] = []
    sizes: list[float] = []
    made = 0
    started = time.process_time()
    chosen = sorted(responses)[:: int(PART.partition("/")[2])]
    for place, problem_id in enumerate(chosen):
        if place % (len(chosen) // 4) == 0:
            sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        before, count = time.process_time(), 0
        for response in responses[problem_id].values():
            try:
                flaws = make_from(open_source(problems[problem_id], response), seed=0).records
            except UnfitError:
                continue
            count = sum(len(dump(record)) > 0 for record in flaws)
            break
        if count:
            rates.append(count / (time.process_time() - before))
            made += count
    seconds = time.process_time() - started
    rows = [
        ("proved flawed solutions a second on one core, median over problems", f"{statistics.median(rates):,.0f}"),
        ("over the pass, reading of templates included", f"{made / seconds:,.0f} ({made:,} in {seconds:,.0f} s)"),
        ("peak memory at each quarter of the pass", ", ".join(f"{size:,.0f} MB" for size in sizes)),
    ]
    return _table(rows)


def _shortcuts(stage: Path) -> str:
    """Ask a linear classifier to tell masked flawed solutions from masked correct ones."""
    rows = []
    for name, asked in (("computational", "0.60"), ("conceptual", "0.65")):
        pairs = drawn_pairs(_records(stage, name), lambda record: None if record["needs_edit"] else "all")["all"][
            :MOST_OF_ALL
        ]
        rows.append(
            (f"{name} that needs no edit, {len(pairs):,} problems (asked ≤ {asked})", f"{area_under_curve(pairs):.3f}")
        )
        kinds = drawn_pairs(
            _records(stage, name), lambda record: None if record["needs_edit"] else str(record["operator"])
        )
        found = [
            f"{kind} {area_under_curve(pairs[:MOST_OF_A_TYPE]):.2f}"
            for kind, pairs in kinds.items()
            if len(pairs) >= FEWEST
        ]
        rows.append((f"{name}, by operator of at least {FEWEST} problems, at most {MOST_OF_A_TYPE}", ", ".join(found)))
    head = "AUC of logistic regression on n-grams of texts with every digit masked, one flawed and the correct solution a problem, cross-validated by problem:"
    return f"{head}\n\n{_table(rows)}"


if __name__ == "__main__":
    print(_speed(data_folder()))
