"""Tests of the review state with several processes: races and kills neither lose nor repeat a decision."""

import json
import os
import random
import signal
import time
from collections import Counter
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from harness.records.review import CandidateTexts, Decision, RejectReason
from reports.review.candidate_queue import CandidateQueue, LeasedCandidate
from reports.review.candidates.candidates import Candidates
from reports.review.state.decisions import Ruling
from reports.review.state.review_state import ReviewState
from tests.reports.review.made_candidates import made_record, name_of, typed, write_records

FORK = get_context("fork")
CANDIDATES = 200
KILLS = 14
ROUNDS_IN_STEP = 10
"""Without these one process may decide all: one that waits for SQLite's lock sleeps while another takes it again."""


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """Return a file of two hundred candidates whose index is built."""
    path = write_records(tmp_path / "pool.jsonl", map(made_record, range(CANDIDATES)))
    Candidates.open([path], cache=tmp_path / "cache").close()
    return path


def _review(pool: Path, state_path: Path, reviewer: str, said: Path, *, undoing: bool, in_step: Barrier | None) -> None:
    """Decide one candidate after the other, the first in step with other processes; write down each answer in one write."""
    random.seed(reviewer)
    state = ReviewState.open(state_path)
    queue = CandidateQueue(Candidates.open([pool], cache=pool.parent / "cache"), state)
    descriptor = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def answered(**record: object) -> None:
        os.write(descriptor, f"{json.dumps(record)}\n".encode())

    number = 0
    while (taken := queue.next(reviewer, f"{os.getpid()}")) is not None:
        number += 1
        if in_step is not None and number <= ROUNDS_IN_STEP:
            in_step.wait()
        texts = typed(f"{reviewer} {os.getpid()} {number}")
        assert state.save_draft(taken.lease, texts) is not None
        answered(kind="draft", candidate=name_of(taken), text=texts.lines[1])
        reason = RejectReason.IMPLAUSIBLE
        decision = random.choice([Decision.ACCEPT, Decision.REJECT])
        outcome = state.decide(taken.candidate, taken.lease, Ruling(decision, texts, reason=reason))
        assert outcome.entry is not None
        answered(kind="decided", uid=outcome.entry.uid, candidate=name_of(taken))
        if undoing and number % 5 == 0:
            back = state.undo(reviewer, f"{os.getpid()}")
            assert back.entry is not None
            answered(kind="undone", uid=back.entry.uid, candidate=back.entry.candidate_id, undoes=back.entry.undoes)


def _start(
    tmp_path: Path, pool: Path, reviewer: str, *, undoing: bool = False, in_step: Barrier | None = None
) -> BaseProcess:
    said = tmp_path / f"said-{reviewer}.jsonl"
    arguments = (pool, tmp_path / "review.sqlite", reviewer, said)
    process = FORK.Process(target=_review, args=arguments, kwargs={"undoing": undoing, "in_step": in_step})
    process.start()
    return process


def _kill(worker: BaseProcess) -> None:
    assert worker.pid is not None
    if worker.is_alive():
        os.kill(worker.pid, signal.SIGKILL)
    worker.join()


def _answered(tmp_path: Path, reviewer: str) -> list[dict[str, str]]:
    lines = [line for path in sorted(tmp_path.glob(f"said-{reviewer}.jsonl")) for line in path.read_text().splitlines()]
    return [json.loads(line) for line in lines]


@pytest.mark.slow
def test_killed_processes_lose_nothing_that_was_answered(tmp_path: Path, pool: Path) -> None:
    """Processes are killed again and again amid drafts, decisions and undos: whatever was answered is there once."""
    generator = random.Random(7)
    workers = {reviewer: _start(tmp_path, pool, reviewer, undoing=True) for reviewer in ("ann", "bob")}
    for _ in range(KILLS):
        reviewer = generator.choice(sorted(workers))
        worker, wanted = workers[reviewer], len(_answered(tmp_path, reviewer)) + generator.randint(1, 12)
        while worker.is_alive() and len(_answered(tmp_path, reviewer)) < wanted:
            time.sleep(0.001)
        _kill(worker)
        workers[reviewer] = _start(tmp_path, pool, reviewer, undoing=True)
    for worker in workers.values():
        _kill(worker)
    state = ReviewState.open(tmp_path / "review.sqlite")
    log = Counter(entry.uid for entry in state.entries())
    answered = _answered(tmp_path, "*")
    decided = [record["uid"] for record in answered if record["kind"] in {"decided", "undone"}]
    assert len(decided) > KILLS
    assert set(log.values()) == {1}
    assert set(decided) <= set(log)
    # A decision may be in the file whose answer the kill cut off: at most one for each process.
    assert len(log) - len(decided) <= KILLS + 2
    assert set(Counter(entry.candidate_id for entry in state.standing()).values()) <= {1}  # none where all were undone
    texts = {entry.texts.lines[1] for entry in state.entries()} | {draft.texts.lines[1] for draft in state.drafts()}
    last = {}
    for record in answered:
        if record["kind"] == "draft":
            last[record["candidate"], record["text"].split()[0]] = record["text"]
    assert set(last.values()) <= texts
    state.close()


def _act_at_random(pool: Path, state_path: Path, reviewer: str, said: Path, seconds: float) -> None:
    """Take, draft, decide, undo, release and open again in any order and in two tabs, with leases held or lost; write down what was granted."""
    draw = random.Random(reviewer)
    candidates = Candidates.open([pool], cache=pool.parent / "cache")
    state = ReviewState.open(state_path)
    taken: list[LeasedCandidate] = []
    until = time.monotonic() + seconds
    with said.open("a", encoding="utf-8", buffering=1) as stream:
        number = 0
        while time.monotonic() < until:
            number += 1
            action = draw.choice([*["take", "draft", "decide"] * 3, "undo", "release", "open"])
            tab = draw.choice(["left", "right"])
            texts = typed(f"{reviewer} {number}")
            if action == "take":
                found = CandidateQueue(candidates, state).next(reviewer, tab)
                taken = [*taken[-4:], *([found] if found is not None else [])]
            elif action == "undo":
                outcome = state.undo(reviewer, tab)
                if outcome.entry is not None:
                    stream.write(f"{json.dumps({'kind': 'undone', 'uid': outcome.entry.uid})}\n")
            elif action == "open":
                state.close()
                state = ReviewState.open(state_path)
            elif taken:
                own = draw.choice(taken)
                if action == "release":
                    state.release(own.lease)
                elif action == "draft":
                    # Texts are kept also where the lease is lost.
                    state.save_draft(own.lease, texts)
                    stream.write(f"{json.dumps(_draft_of(own, texts))}\n")
                elif action == "decide":
                    decision = draw.choice([Decision.ACCEPT, Decision.REJECT])
                    reason = draw.choice([None, RejectReason.IMPLAUSIBLE])
                    outcome = state.decide(own.candidate, own.lease, Ruling(decision, texts, reason=reason))
                    record = _draft_of(own, texts)
                    if outcome.entry is not None:
                        record = {"kind": "decided", "uid": outcome.entry.uid, "candidate": name_of(own)}
                    stream.write(f"{json.dumps(record)}\n")
    state.close()


def _draft_of(taken: LeasedCandidate, texts: CandidateTexts) -> dict[str, str]:
    return {"kind": "draft", "candidate": name_of(taken), "text": texts.lines[1]}


@pytest.mark.parametrize("seconds", [3, pytest.param(600, marks=pytest.mark.slow)])
def test_two_reviewers_at_random_lose_nothing(tmp_path: Path, pool: Path, seconds: int) -> None:
    """Whatever two reviewers do side by side: each decision that was granted is there once, no other is, and no text is lost."""
    arguments = {
        name: (pool, tmp_path / "review.sqlite", name, tmp_path / f"said-{name}.jsonl") for name in ("ann", "bob")
    }
    workers = [FORK.Process(target=_act_at_random, args=(*given, seconds)) for given in arguments.values()]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=seconds + 60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    state = ReviewState.open(tmp_path / "review.sqlite")
    log = Counter(entry.uid for entry in state.entries())
    answered = _answered(tmp_path, "*")
    granted = Counter(record["uid"] for record in answered if record["kind"] in {"decided", "undone"})
    assert (log, set(log.values())) == (granted, {1})
    assert {record["kind"] for record in answered} == {"draft", "decided", "undone"}
    assert set(Counter(entry.candidate_id for entry in state.standing()).values()) <= {1}  # none where all were undone
    texts = {entry.texts.lines[1] for entry in state.entries()} | {draft.texts.lines[1] for draft in state.drafts()}
    who = {entry.uid: entry.reviewer for entry in state.entries()}
    last = {}
    for record in answered:
        if record["kind"] == "draft":
            last[record["candidate"], record["text"].split()[0]] = record["text"]
        elif record["kind"] == "decided":
            last.pop((record["candidate"], who[record["uid"]]), None)
    assert set(last.values()) <= texts
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
