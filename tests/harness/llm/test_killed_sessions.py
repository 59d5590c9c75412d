"""Tests of killed sessions: the state of the store after a kill, and two processes that share a store."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from harness.llm.answer_store import AnswerStore
from harness.llm.prices import PriceTable
from tests.harness.llm.asking import all_attempts, question
from tests.harness.llm.loopback_server import LoopbackServer, mixed
from tests.harness.llm.test_many_requests import begun, ended

if TYPE_CHECKING:
    from pathlib import Path

PLACES = 8


def _kill_often(path: Path, server: LoopbackServer, *, kills: int, count: int) -> Counter[str]:
    """Kill a process that asks, again and again, soon after its first question, then let one finish; return attempts by kind."""
    chance = random.Random(5)
    for _ in range(kills):
        process = begun(path, server, past=count, concurrency=PLACES, rate=3_000)
        before = len(server.arrivals)
        while len(server.arrivals) == before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(chance.uniform(0.0, 0.4))
        process.kill()
        process.communicate()
    assert ended(begun(path, server, past=count, concurrency=PLACES))["answered"] == count
    kinds: Counter[str] = Counter()
    with AnswerStore(path) as store:
        for number in range(count):
            attempts = store.attempts(question("openai", f"question {number}").key)
            assert [row["state"] for row in attempts].count("answered") == 1
            assert attempts[-1]["state"] == "answered"
            kinds.update(row["kind"] or row["state"] for row in attempts)
            # Whatever was paid has its row: an answer, a lost attempt, or an attempt that may have been paid.
            assert server.deliveries[f"question {number}"] <= len(attempts)
            assert server.paid[f"question {number}"] <= len(attempts)
        assert store.spent() == sum(attempt["cost"] for attempt in all_attempts(store))
    return kinds


def _check_killed(path: Path, *, kills: int, count: int) -> None:
    with LoopbackServer(seconds=0.05, idempotent=False) as server:
        kinds = _kill_often(path, server, kills=kills, count=count)
        again = sum(paid - 1 for paid in server.paid.values())
    print({"lost": kinds["lost"], "paid again": again})  # noqa: T201  # the figures of the report
    assert kinds["answered"] == count
    assert set(kinds) <= {"answered", "lost"}
    # Only questions under way at a kill are asked again, and each of them has a row.
    assert again <= kinds["lost"] <= kills * PLACES
    assert kinds["lost"] > 0


@pytest.mark.slow
def test_a_killed_session_goes_on_where_it_was(tmp_path: Path) -> None:
    """After two kills a third run answers what is left: nothing answered is paid again, and lost attempts are written down."""
    _check_killed(tmp_path / "store", kills=2, count=80)


@pytest.mark.slow
def test_ten_kills_lose_nothing_that_was_answered(tmp_path: Path) -> None:
    """After ten SIGKILLs amid the questions nothing that was answered is paid again."""
    _check_killed(tmp_path / "store", kills=10, count=400)


@pytest.mark.slow
def test_an_interrupted_session_leaves_no_claim(tmp_path: Path) -> None:
    """Ctrl-C ends a process with nothing claimed; what was under way is written down as lost, at most as many as may be."""
    with LoopbackServer(seconds=0.3) as server:
        process = begun(tmp_path / "store", server, past=200, concurrency=PLACES)
        while len(server.arrivals) < 3 * PLACES:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    with AnswerStore(tmp_path / "store") as store:
        kinds = Counter(
            row["kind"] or row["state"]
            for number in range(200)
            for row in store.attempts(question("openai", f"question {number}").key)
        )
        assert store.recover() == 0
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
