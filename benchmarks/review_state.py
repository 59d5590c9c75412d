"""Benchmark of the review queue and state: an index of 200,000 candidates, leases, decisions and a seal."""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.review_page import candidates, percentile
from harness.records.review import Decision, RejectReason
from harness.store.run_folder import RunFolder, dump
from reports.review.candidate_queue import CandidateQueue
from reports.review.candidates import Candidates
from reports.review.review_state import ReviewState, Ruling
from reports.review.seal import seal

CANDIDATES = 200_000
DECISIONS = 2_000
MOST_SEALED = 500


def measure(_data: Path) -> dict[str, Any]:
    """Index 200,000 candidates, decide 2,000 of them, and seal: seconds, and milliseconds of each step."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "conceptual.jsonl"
        with path.open("w", encoding="utf-8") as stream:
            stream.writelines(
                f"{dump(_moved(number, candidate))}\n" for number, candidate in enumerate(candidates(CANDIDATES))
            )
        begun = time.perf_counter()
        pool = Candidates.open([path])
        built = time.perf_counter() - begun
        waits = {mode: _decide(pool, folder / f"{mode}.sqlite", mode) for mode in ("FULL", "NORMAL")}
        state = ReviewState.open(folder / "FULL.sqlite")
        begun = time.perf_counter()
        CandidateQueue(pool, state).progress()
        counted = time.perf_counter() - begun
        begun = time.perf_counter()
        sealed = seal(RunFolder(folder / "run"), pool, state)
        rate = sealed.counts["accepted"] / (time.perf_counter() - begun)
    return {
        "candidates": CANDIDATES,
        "index_seconds": built,
        "counting_milliseconds": 1000 * counted,
        "sealed_a_second": rate,
        "milliseconds": {
            mode: {
                step: {"median": statistics.median(taken), "p95": percentile(taken, 95), "most": max(taken)}
                for step, taken in own.items()
            }
            for mode, own in waits.items()
        },
    }


def _moved(number: int, record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as one of another tier and plausibility, so that there are many strata."""
    return {**record, "tier": 1 + number % 5, "plausibility": {"score": number * 7919 % 1000 / 1000, "reasons": []}}


def _decide(pool: Candidates, path: Path, synchronous: str) -> dict[str, list[float]]:
    """Decide one candidate after the other; return the milliseconds that each step took."""
    state = ReviewState.open(path)
    with state.reading() as sql:
        sql.execute("ROLLBACK")
        sql.execute(f"PRAGMA synchronous = {synchronous}")
    queue = CandidateQueue(pool, state)
    times: dict[str, list[float]] = {"next": [], "draft": [], "decide": []}
    for number in range(DECISIONS):
        begun = time.perf_counter()
        taken = queue.next("ann", "1")
        times["next"].append(1000 * (time.perf_counter() - begun))
        if taken is None:
            break
        begun = time.perf_counter()
        state.save_draft(taken.lease, taken.texts)
        times["draft"].append(1000 * (time.perf_counter() - begun))
        accepted = number % 4 == 0 and number < 4 * MOST_SEALED
        ruling = Ruling(
            Decision.ACCEPT if accepted else Decision.REJECT,
            taken.texts,
            reason=None if accepted else RejectReason.IMPLAUSIBLE,
        )
        begun = time.perf_counter()
        state.decide(taken.candidate, taken.lease, ruling)
        times["decide"].append(1000 * (time.perf_counter() - begun))
    state.close()
    return times
