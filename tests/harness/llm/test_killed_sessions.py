"""Tests of killed sessions: the state of the store after a kill, and two processes that share a store."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.llm.answer_store import AnswerStore
from harness.llm.prices import PriceTable
from tests.harness.llm.asking import all_attempts, question, variables
from tests.harness.llm.loopback_server import LoopbackServer, mixed

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(__file__).with_name("asking.py")
PLACES = 8


def begun(path: Path, server: LoopbackServer, **job: Any) -> subprocess.Popen[str]:
    """Start a process that asks; keys reach it through its own code, not through this process's environment."""
    environment = {name: value for name, value in os.environ.items() if name not in variables("")}
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), str(path), server.url, json.dumps(job)],
        env={**environment, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what a process reports."""
    out, err = process.communicate(timeout=900)
    assert process.returncode == 0, err
    report: dict[str, Any] = json.loads(out)
    return report


def kinds_of(path: Path, count: int) -> Counter[str]:
    """Return how often each kind of attempt is in a store, whose claims are all ended and whose costs add up."""
    with AnswerStore(path) as store:
        assert store.recover() == 0
        attempts = all_attempts(store)
        assert store.spent() == sum(attempt["cost"] for attempt in attempts)
        assert len({attempt["key"] for attempt in attempts}) <= count
    return Counter(attempt["kind"] or attempt["state"] for attempt in attempts)


@pytest.mark.slow
def test_kills_lose_nothing_that_was_answered(tmp_path: Path) -> None:
    """After four SIGKILLs a further run answers what is left: nothing answered is paid again, and lost attempts are written down."""
    kills, count, chance = 4, 160, random.Random(5)
    with LoopbackServer(seconds=0.05, idempotent=False) as server:
        for _ in range(kills):
            process = begun(tmp_path / "store", server, past=count, concurrency=PLACES, requests=3_000)
            before = len(server.arrivals)
            while len(server.arrivals) == before and process.poll() is None:
                time.sleep(0.01)
            time.sleep(chance.uniform(0.0, 0.4))
            process.kill()
            process.communicate()
        assert ended(begun(tmp_path / "store", server, past=count, concurrency=PLACES))["answered"] == count
        again = sum(paid - 1 for paid in server.paid.values())
    with AnswerStore(tmp_path / "store") as store:
        for number in range(count):
            attempts = store.attempts(question("openai", f"question {number}").key)
            assert [row["state"] == "answered" for row in attempts] == [False] * (len(attempts) - 1) + [True]
            # Whatever was paid has its row: an answer, a lost attempt, or an attempt that may have been paid.
            assert server.paid[f"question {number}"] <= server.deliveries[f"question {number}"] <= len(attempts)
    kinds = kinds_of(tmp_path / "store", count)
    assert (kinds["answered"], set(kinds) <= {"answered", "lost"}) == (count, True)
    # Only questions under way at a kill are asked again, and each of them has a row.
    assert again <= kinds["lost"] <= kills * PLACES
    assert kinds["lost"] > 0


@pytest.mark.slow
def test_an_interrupted_session_leaves_no_claim(tmp_path: Path) -> None:
    """Ctrl-C ends a process with nothing claimed; what was under way is written down as lost, at most as many as may be."""
    with LoopbackServer(seconds=0.3) as server:
        process = begun(tmp_path / "store", server, past=200, concurrency=PLACES)
        while len(server.arrivals) < 3 * PLACES:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    kinds = kinds_of(tmp_path / "store", 200)
    assert process.returncode != 0
    assert set(kinds) == {"answered", "lost"}
    assert kinds["lost"] <= PLACES


@pytest.mark.slow
def test_two_processes_that_share_a_store_ask_each_question_once(tmp_path: Path) -> None:
    """Two processes with the same questions, in the same order and with faults, ask as often as one process does."""
    count = 60
    with LoopbackServer(plan=mixed(0.1, ["error", "reset"], seed=3), seconds=0.2) as server:
        job = {"past": count, "concurrency": PLACES, "at": time.time() + 3.0}
        both = [begun(tmp_path / "store", server, **job) for _ in range(2)]
        reports = [ended(process) for process in both]
        assert [report["answered"] for report in reports] == [count, count]
        with AnswerStore(tmp_path / "store") as store:
            owners: Counter[str] = Counter()
            for number in range(count):
                attempts = store.attempts(question("openai", f"question {number}").key)
                assert server.deliveries[f"question {number}"] == len(attempts)
                owners.update(row["owner"] for row in attempts)
    assert set(server.paid.values()) == {1}
    assert len(server.paid) == count
    assert len(owners) == 2


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_budget_holds_however_many_share_it(tmp_path: Path, processes: int) -> None:
    """Questions are asked until the next one's answer could exceed the budget; the sum of what they cost never does."""
    price = PriceTable.load().of(question("openai", ""))
    assert price is not None
    most = price.most(question("openai", "question 99", max_tokens=64).bound())
    budget = 3 * most
    with LoopbackServer(seconds=0.02) as server:
        jobs = [begun(tmp_path / "store", server, past=200, concurrency=4, budget=budget) for _ in range(processes)]
        reports = [ended(job) for job in jobs]
    with AnswerStore(tmp_path / "store") as store:
        spent = store.spent()
    assert [report["stopped"] for report in reports] == [1] * processes
    assert price.of(server.used) == spent <= budget
    assert spent + most > budget
