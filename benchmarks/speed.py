"""Benchmark of stage cost against the same number of empty pytest items, and of the cost of one pair."""

import itertools
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.sessions import programs_session, require, session, stage_options
from harness.corpora.problems import load_corpus
from harness.corpora.responses import SpooledResponses
from harness.program.lifter import read_candidate
from oracles.alignment.embeddings import Embeddings, embeddings_folder
from oracles.alignment.parameter_matching import align, texts_to_compare
from oracles.equivalence.ladder import EquivalenceJudge

ROUNDS = {("templates", "0"): 2, ("templates", "2"): 1, ("programs", "0"): 1}
EMPTY = """
import pytest

@pytest.mark.parametrize("claim", [f"gsm8k-train-{{number}}:left~right" for number in range({count})])
def test_empty(claim):
    pass
"""


def measure(data: Path) -> dict[str, Any]:
    """Time the stage and as many empty items in turn, and single pairs."""
    require("templates", "programs", data=data)
    # Encoding the programs' texts anew says nothing that the templates do not.
    sessions = {
        f"{name} -n{workers} {'cold' if cold else 'warm'}": _compared(name, data, workers=workers, cold=cold)
        for name, workers in ROUNDS
        for cold in ((True, False) if name == "templates" else (False,))
    }
    return {"sessions": sessions, "pairs": _single_pairs(data)}


def _compared(name: str, data: Path, *, workers: str, cold: bool) -> dict[str, Any]:
    """Run the stage and the empty items in turn; a cold session has no embedding on disk."""
    ratios, stages, empties, peaks, items = [], [], [], [], 0
    for _ in range(ROUNDS[name, workers]):
        with tempfile.TemporaryDirectory() as folder:
            environment = {"ORACLE_FACTORY_CACHE": folder} if cold else {}
            done = (
                programs_session(data, Path(folder))
                if name == "programs"
                else session(stage_options(name, data, Path(folder), workers=workers), environment=environment)
            )
            items = done.items
            module = Path(folder, "test_empty.py")
            module.write_text(EMPTY.format(count=items), encoding="utf-8")
            empty = session(
                ["-q", f"-n{workers}", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", folder, str(module)]
            )
        stages.append(done.seconds)
        empties.append(empty.seconds)
        ratios.append(done.seconds / empty.seconds)
        peaks.append(done.megabytes)
    return {
        "items": items,
        "seconds": statistics.median(stages),
        "empty_items_seconds": statistics.median(empties),
        "ratio": statistics.median(ratios),
        "peak_megabytes": round(max(peaks)),
    }


def _single_pairs(data: Path) -> dict[str, Any]:
    """Time UT-2 and UT-3 of the real pairs of templates, process start and reading excluded; milliseconds."""
    problems = load_corpus(str(data / "gsm8k/train.jsonl"))
    known = (problem.problem_id for problem in problems)
    responses = SpooledResponses([data / "formalizations/templates.jsonl.gz"], known)
    embeddings = Embeddings(embeddings_folder())
    embeddings.refresh()
    aligning, deciding = [], []
    for problem_id, own in sorted(responses.items()):
        candidates = [read_candidate(own[model]) for model in sorted(own)]
        similarities = (
            embeddings.similarities(texts_to_compare(candidate.program for candidate in candidates))
            if len(candidates) > 1
            else None
        )
        for left, right in itertools.combinations(candidates, 2):
            if left.program is None or right.program is None or similarities is None:
                continue
            started = time.perf_counter()
            alignments = align(left.program.parameters, right.program.parameters, similarities)
            aligned = time.perf_counter()
            EquivalenceJudge(problem_id).judge(left, right, alignments)
            deciding.append(time.perf_counter() - aligned)
            aligning.append(aligned - started)
    ordered = sorted(1000 * seconds for seconds in deciding)
    return {
        "pairs": len(ordered),
        "median": statistics.median(ordered),
        "percentile_99": ordered[len(ordered) * 99 // 100],
        "longest": ordered[-1],
        "aligning_median": 1000 * statistics.median(aligning),
    }
