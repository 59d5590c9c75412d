"""Tests of thousands of requests with faults in a fifth of them: one answer each, in time, with constant memory.

Questions are asked in a process of their own, as a user's would be: the server's counts are compared with the store's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.llm.answer_store import AnswerStore
from harness.llm.faults import UNBILLED
from harness.llm.messages import Usage
from harness.llm.prices import PriceTable
from tests.harness.llm.asking import all_attempts, question, variables
from tests.harness.llm.loopback_server import LoopbackServer, mixed, rate_kept

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(__file__).with_name("asking.py")
RETRIED = ["rate-ms", "rate-bare", "error", "overloaded", "stall", "truncated", "html", "empty", "reset", "reset-late"]
MIX = [*RETRIED, "slow", "refusal", "duplicate"]
TIMEOUT = 3.0


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


def check_books(path: Path, server: LoopbackServer, prompts: list[str], provider: str) -> None:
    """Hold the store against the server: one answer each, nothing paid that is not written down, nothing asked that is not."""
    price = PriceTable.load().of(question(provider, ""))
    assert price is not None
    with AnswerStore(path) as store:
        billed = 0
        for prompt in prompts:
            attempts = store.attempts(question(provider, prompt).key)
            states = [row["state"] for row in attempts]
            assert states == [*["failed"] * (len(states) - 1), "answered"], (prompt, states)
            assert len(attempts) == server.deliveries[prompt], prompt
            asked_and_paid = sum(row["kind"] not in UNBILLED for row in attempts)
            assert 1 <= server.paid[prompt] <= asked_and_paid, prompt
            last = attempts[-1]
            assert last["cost"] == price.of(Usage(last["input"], last["output"], last["cached"], last["written"]))
            billed += sum(row["cost"] for row in attempts)
        assert store.spent() == billed == sum(attempt["cost"] for attempt in all_attempts(store))
    assert billed >= price.of(server.used)


def put_many(path: Path, provider: str, *, count: int, rate: float, idempotent: bool = True) -> dict[str, Any]:
    """Ask so many questions at so many a minute, check the books, and return what the process reports with what it may."""
    # A server that does not keep labels bills a duplicate that a proxy made: nobody on this side can know of it.
    plan = mixed(0.2, MIX if idempotent else MIX[:-1], seed=1)
    with LoopbackServer(plan=plan, retry_after=0.05, slow=0.3, idempotent=idempotent) as server:
        report = ended(begun(path, server, provider=provider, past=count, rate=rate, seconds=TIMEOUT))
        assert report["answered"] == count
        assert rate_kept(server.arrivals, rate, slack=2.0)
        check_books(path, server, [f"question {number}" for number in range(count)], provider)
        if idempotent:
            assert set(server.paid.values()) == {1}
        allowed = len(server.arrivals) * 60 / rate
        return {**report, "allowed": allowed, "asked": len(server.arrivals), "faults": sum(server.met.values())}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("provider", "idempotent"), [("openai", True), pytest.param("anthropic", False, marks=pytest.mark.slow)]
)
def test_questions_with_faults_are_answered_once_each_and_in_time(
    tmp_path: Path, provider: str, idempotent: bool
) -> None:
    """With a fault at every fifth delivery each question has one answer and each payment its row.

    The time is at most 1.2 times what the rate allows for the requests that were sent, and two time-outs for the last of them.
    """
    report = put_many(tmp_path / "store", provider, count=80, rate=1_200, idempotent=idempotent)
    assert report["faults"] > 0.1 * report["asked"]
    assert report["seconds"] <= 1.2 * report["allowed"] + 2 * TIMEOUT


@pytest.mark.slow
def test_two_thousand_questions_take_as_long_as_the_rate_and_no_more_memory(tmp_path: Path) -> None:
    """2,000 questions, a fifth of the deliveries faulty, have one answer each, with no duplicate spend.

    The time is at most 1.2 times what the rate allows for the requests that were sent; memory is that of 500 questions.
    """
    few = put_many(tmp_path / "few", "openai", count=500, rate=2_400)
    many = put_many(tmp_path / "many", "openai", count=2_000, rate=2_400)
    print({"500": few, "2000": many})  # noqa: T201  # the figures of the report
    assert many["seconds"] <= 1.2 * many["allowed"]
    assert many["memory"] <= 1.1 * few["memory"]
