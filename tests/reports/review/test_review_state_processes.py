"""Tests of the review state with several processes: races and kills neither lose nor repeat a decision."""

import json
import os
import random
import signal
import time
from collections import Counter
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from harness.records.review import Decision, RejectReason
from reports.review.candidate_queue import CandidateQueue, LeasedCandidate
from reports.review.candidates import Candidates
from reports.review.review_state import ReviewState, Ruling
from tests.json_lines import write_lines
from tests.reports.review.made_candidates import made_record, name_of, typed

FORK = get_context("fork")
CANDIDATES = 200


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """Return a file of two hundred candidates."""
    return write_lines(tmp_path / "pool.jsonl", map(made_record, range(CANDIDATES)))


def _act_at_random(pool: Path, reviewer: str, seed: int, seconds: float) -> None:
    """Take, draft, decide, undo, release and open again in any order and in two tabs, with leases held or lost; write down what was granted."""
    draw = random.Random(f"{reviewer} {seed}")
    candidates = Candidates.open([pool])
    state = ReviewState.open(pool.parent / "review.sqlite")
    taken: list[LeasedCandidate] = []
    until = time.monotonic() + seconds
    with (pool.parent / f"said-{reviewer}.jsonl").open("a", encoding="utf-8", buffering=1) as stream:
        number = 0
        while time.monotonic() < until:
            number += 1
            action = draw.choice([*["take", "draft", "decide"] * 3, "undo", "release", "open"])
            tab = draw.choice(["left", "right"])
            texts = typed(f"{reviewer} {seed} {number}")
            record = {}
            if action == "take":
                found = CandidateQueue(candidates, state).next(reviewer, tab)
                taken = [*taken[-4:], *([found] if found is not None else [])]
            elif action == "undo":
                undone = state.undo(reviewer, tab).entry
                record = {} if undone is None else {"uid": undone.uid}
            elif action == "open":
                state.close()
                state = ReviewState.open(pool.parent / "review.sqlite")
            elif taken:
                own = draw.choice(taken)
                record = {"candidate": name_of(own), "reviewer": reviewer, "text": texts.lines[1]}
                if action == "release":
                    state.release(own.lease)
                    record = {}
                elif action == "draft":
                    state.save_draft(own.lease, texts)  # texts are kept also where the lease is lost
                else:
                    decision = draw.choice([Decision.ACCEPT, Decision.REJECT])
                    reason = draw.choice([None, RejectReason.IMPLAUSIBLE])
                    entry = state.decide(own.candidate, own.lease, Ruling(decision, texts, reason=reason)).entry
                    if entry is not None:
                        record["uid"] = entry.uid
            if record:
                stream.write(f"{json.dumps(record)}\n")
    state.close()


def _start(pool: Path, reviewer: str, seed: int, seconds: float) -> BaseProcess:
    process = FORK.Process(target=_act_at_random, args=(pool, reviewer, seed, seconds))
    process.start()
    return process


@pytest.mark.parametrize("kills", [0, pytest.param(14, marks=pytest.mark.slow)])
def test_two_reviewers_at_random_lose_nothing(tmp_path: Path, pool: Path, kills: int) -> None:
    """Whatever two processes do, also where they are killed: each decision that was granted is there once, and no text is lost."""
    generator = random.Random(7)
    workers = {reviewer: _start(pool, reviewer, 0, 60 if kills else 3) for reviewer in ("ann", "bob")}
    for kill in range(1, kills + 1):
        time.sleep(generator.uniform(0.05, 0.4))
        reviewer = generator.choice(sorted(workers))
        os.kill(workers[reviewer].pid or 0, signal.SIGKILL)
        workers[reviewer].join()
        workers[reviewer] = _start(pool, reviewer, kill, 3)
    for worker in workers.values():
        worker.join(timeout=120)
        assert worker.exitcode == 0
    state = ReviewState.open(tmp_path / "review.sqlite")
    log = Counter(entry.uid for entry in state.entries())
    answered = [json.loads(line) for path in tmp_path.glob("said-*") for line in path.read_text().splitlines()]
    granted = [record["uid"] for record in answered if "uid" in record]
    assert set(log.values()) == {1}
    assert set(granted) <= set(log)
    assert len(granted) == len(set(granted)) > 14
    # A decision may be in the file whose answer a kill cut off: at most one for each kill.
    assert len(log) - len(granted) <= kills
    assert set(Counter(entry.candidate_id for entry in state.standing()).values()) <= {1}  # none where all were undone
    texts = {entry.texts.lines[1] for entry in state.entries()} | {draft.texts.lines[1] for draft in state.drafts()}
    last = {}
    for record in answered:
        if "uid" not in record:
            last[record["candidate"], record["reviewer"]] = record["text"]
        elif "text" in record:
            last.pop((record["candidate"], record["reviewer"]), None)
    assert len(set(last.values()) - texts) <= kills  # a kill may come between a newer draft and its answer
    state.close()


def _open_at_once(path: Path, found: "object") -> None:
    state = ReviewState.open(path)
    found.put(len(state.entries()))  # type: ignore[attr-defined]  # a queue of the context
    state.close()


def test_processes_may_open_a_new_review_at_once(tmp_path: Path) -> None:
    """Of processes that all find no file, one lays it out, and all have it open."""
    results = FORK.Queue()
    workers = [FORK.Process(target=_open_at_once, args=(tmp_path / "new" / "r.sqlite", results)) for _ in range(6)]
    for worker in workers:
        worker.start()
    assert [results.get(timeout=60) for _ in workers] == [0] * len(workers)
    for worker in workers:
        worker.join()
