"""Tests of waiting: how long a provider is left alone, which time counts towards its time limit, and when it is given up."""

import asyncio
import time
from pathlib import Path

import pytest

from harness.llm.answer_store import AnswerStore
from harness.llm.messages import RequestFault, RequestFaultKind
from tests.harness.llm.asking import MemoryProvider, answers, hasty, question, rows
from tests.harness.llm.loopback_server import LoopbackServer, rate_kept, scripted


def test_a_server_that_says_how_long_to_wait_is_not_asked_before(tmp_path: Path) -> None:
    """`Retry-After` is honoured."""
    with LoopbackServer(plan=scripted({"first": ["rate"]}), retry_after=0.7) as server:
        answers(server, tmp_path / "store", question("openai", "first"), limits=hasty())
        assert server.arrivals[1] - server.arrivals[0] >= 0.7


def test_time_spent_waiting_for_the_pace_is_not_the_servers(tmp_path: Path) -> None:
    """A question may wait for its turn longer than an answer may take, and is answered at its first try."""
    questions = [question("openai", f"question {number}") for number in range(4)]
    with LoopbackServer() as server:
        got = answers(server, tmp_path / "store", *questions, limits=hasty(seconds=1.5, requests=60))
    assert [answer.asked for answer in got] == [1, 1, 1, 1]
    assert server.arrivals[-1] - server.arrivals[0] > 1.5


def test_an_answer_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    """A try ends when its time is over, whether no byte came or half of them, and may have been paid for."""
    request = question("openai", "why?")
    with LoopbackServer(plan=scripted({"why?": ["slow", "stall"]}), slow=9.0) as server:
        began = time.monotonic()
        (answer,) = answers(server, tmp_path / "store", request, limits=hasty(seconds=0.5, tries=2))
        assert time.monotonic() - began < 8
    attempts = rows(tmp_path / "store", request)
    assert answer.fault is not None
    assert [row["kind"] for row in attempts] == ["timed-out", "timed-out"]
    assert all(0.5 <= row["seconds"] < 8 and row["cost"] > 0 for row in attempts)


def test_the_rate_is_kept_with_faults_and_many_at_once(tmp_path: Path) -> None:
    """Tries count as requests: the server never sees more of them than the rate allows."""
    questions = [question("openai", f"question {number}") for number in range(20)]
    plan = scripted({f"question {number}": ["error", "reset"] for number in range(0, 20, 4)})
    with LoopbackServer(plan=plan) as server:
        got = answers(server, tmp_path / "store", *questions, limits=hasty(requests=600))
        assert len(server.arrivals) == 30
        # The slack is what a busy machine delays between a question's turn and its arrival.
        assert rate_kept(server.arrivals, 600, slack=1.0)
    assert all(answer.reply for answer in got)


@pytest.mark.parametrize(("broken", "tries", "concurrency"), [(10**6, 2, 1), (50, 9, 50)])
def test_a_server_that_stays_broken_is_given_up(tmp_path: Path, broken: int, tries: int, concurrency: int) -> None:
    """After so many questions in a row that fail in every attempt nobody is asked any more; faults of an outage shorter than the tries do not count."""
    fault = RequestFault(RequestFaultKind.SERVER, "broken")
    questions = [question("openai", f"question {number}") for number in range(50)]

    async def kinds() -> set[str]:
        provider = MemoryProvider(lambda number: fault if number < broken else None)
        provider.go.set()
        with AnswerStore(tmp_path / "store") as store:
            terms = {"tries": tries, "concurrency": concurrency, "pause": 0.01, "failures": 4}
            async with provider.client(store, **terms) as client:
                got = await asyncio.gather(*map(client.ask, questions))
        assert (provider.asked < 2 * len(questions)) == (broken > len(questions))
        return {answer.fault.kind if answer.fault else "answered" for answer in got}

    assert asyncio.run(kinds()) <= ({"answered"} if broken == len(questions) else {"server-error", "provider-down"})
