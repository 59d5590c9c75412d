"""Benchmark of flawed solutions made of real templates: yield, certificates by both solvers, labels, speed and shortcuts."""

import gc
import json
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.sessions import DATASETS, recheck_counts, records, require, sealed_stage, session, stage_options
from benchmarks.shortcuts import Pair, areas
from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.formalizations.annotation_compiler import MODEL
from harness.corpora.labelled_solutions import LabelledSolution, read_labelled
from harness.corpora.problems import load_corpus
from harness.corpora.responses import SpooledResponses
from harness.store.run_folder import dump
from oracles.labels.audit.label_verdict import audit
from properties.engine.stage_run import RARELY
from properties.stages.mutation import make_from

NAME = "templates"
PART = "3/16"
"""The slice of the problems that is measured."""
CORPUS, FORMALIZATIONS = DATASETS[NAME]
FILES = ("computational", "conceptual")
Record = dict[str, Any]


def measure(data: Path) -> Record:
    """Run the mutation stage on the templates and check what it made in every way there is."""
    require(NAME, data=data)
    with tempfile.TemporaryDirectory() as runs:
        options = stage_options(NAME, data, Path(runs), workers="2", marker="mutation")
        done = session([*options, f"--harness-formalizations={MODEL}", f"--harness-slice={PART}", "properties"])
        stage = sealed_stage(NAME, "mutation", Path(runs), done)
        counts = json.loads((stage / "manifest.json").read_text(encoding="utf-8"))["counts"]
        figures = {
            "counts": counts,
            "session_seconds": round(done.seconds),
            "peak_megabytes": round(done.megabytes),
            **{name: _file_figures(stage / f"{name}.jsonl") for name in FILES},
        }
    return {**figures, "speed": _speed(data)}


def _file_figures(path: Path) -> Record:
    """Count records, distinct texts and those that need an edit; re-check every certificate, audit every label, look for shortcuts."""
    texts: set[tuple[str, str]] = set()
    kinds: dict[str, list[Pair]] = defaultdict(list)
    total = edits = 0
    for record in records(path):
        total += 1
        edits += record["needs_edit"]
        texts.add((record["problem_id"], record["flawed_solution"]))
        if not record["needs_edit"]:
            pair = (record["problem_id"], record["solution"], record["flawed_solution"])
            kinds["all"].append(pair)
            kinds[record["operator"]].append(pair)
    return {
        "records": total,
        "distinct": len(texts),
        "need_an_edit": edits,
        "recheck": {solver: recheck_counts(path, solver) for solver in ("z3", "cvc5")},
        "labels": _labels(path),
        "shortcuts": areas(kinds),
    }


def _labels(path: Path) -> Record:
    """Audit every label as `pytest -m label` does."""
    verdicts, causes = Counter[str](), Counter[str]()
    for solution in read_labelled([path]):
        if isinstance(solution, LabelledSolution):
            verdict = audit(solution, None, solution.problem_id or "")
            verdicts[verdict.status.name] += 1
            causes.update(str(finding.cause) for finding in verdict.findings)
        else:
            verdicts["rejected"] += 1
    return {"verdicts": dict(verdicts), "causes": dict(causes)}


def _speed(data: Path) -> Record:
    """Make, certify and serialize in this process, problem by problem, as a stream; garbage is collected as in a session."""
    problems = {problem.problem_id: problem for problem in load_corpus(str(data / CORPUS))}
    responses = SpooledResponses([data / FORMALIZATIONS], problems)
    gc.freeze()
    gc.set_threshold(*RARELY)
    rates: list[float] = []
    made = 0
    started = time.process_time()
    for problem_id in sorted(responses)[:: int(PART.partition("/")[2])]:
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
    return {
        "median_a_second": round(statistics.median(rates)),
        "a_second_over_the_pass": round(made / (time.process_time() - started)),
        "flaws": made,
    }
