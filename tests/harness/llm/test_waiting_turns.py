"""Tests of waiting: how long a provider is left alone, and which time counts towards its time limit."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from harness.llm.answer_store import AnswerStore
from harness.llm.client import Client
from harness.llm.faults import RequestFault, RequestFaultKind
from harness.llm.messages import Reply, Request, Usage
from harness.llm.provider import ProviderAccess, ProviderLimits
from tests.harness.llm.asking import answers, hasty, question, rows
from tests.harness.llm.loopback_server import LoopbackServer, rate_kept, scripted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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


class _Scripted:
    """A provider in memory that answers as it is told: its laws need no server, and no seconds."""

    def __init__(self, outcome: Callable[[int], RequestFault | None], seconds: float = 0.0) -> None:
        self.outcome, self.seconds = outcome, seconds
        self.asked = self.at_once = 0
        self.together: list[int] = []

    async def ask(self, _request: Request, _label: str) -> Reply:
        number = self.asked
        self.asked += 1
        self.at_once += 1
        self.together.append(self.at_once)
        await asyncio.sleep(self.seconds)
        self.at_once -= 1
        fault = self.outcome(number)
        if fault is not None:
            raise fault
        return Reply("yes", Usage(10, 1))

    async def close(self) -> None:
        pass


async def _through(
    provider: _Scripted, path: Path, limits: ProviderLimits, *requests: Request
) -> tuple[Client, list[str]]:
    with AnswerStore(path) as store:
        access = ProviderAccess({"OPENAI_API_KEY": "sk-of-no-use"})
        async with Client(store, access, limits={"openai": limits}) as client:
            client.open("openai")
            client._lanes["openai"].provider = provider
            got = await asyncio.gather(*map(client.ask, requests))
            state = "down" if requests[0].model in client._lanes["openai"].down else "asked"
            return client, [state, *(str(answer.fault.kind) if answer.fault else "answered" for answer in got)]


_BROKEN = RequestFault(RequestFaultKind.SERVER, "broken")
_QUICK = hasty(concurrency=6, tries=9, pause=0.01, failures=4)


def test_a_server_that_stays_broken_is_given_up(tmp_path: Path) -> None:
    """After so many questions in a row that fail in every attempt nobody is asked any more, and each question says why."""
    provider = _Scripted(lambda _: _BROKEN)
    questions = [question("openai", f"question {number}") for number in range(30)]
    _, states = asyncio.run(_through(provider, tmp_path / "store", replace(_QUICK, tries=2, concurrency=1), *questions))
    assert states[0] == "down"
    assert set(states[1:]) <= {"server-error", "provider-down"}
    assert provider.asked < 2 * len(questions)


def test_an_outage_shorter_than_the_tries_gives_up_nobody(tmp_path: Path) -> None:
    """Failed attempts of questions that are answered in the end do not count."""
    provider = _Scripted(lambda number: _BROKEN if number < 50 else None, seconds=0.02)
    questions = [question("openai", f"question {number}") for number in range(50)]
    _, states = asyncio.run(_through(provider, tmp_path / "store", replace(_QUICK, concurrency=50), *questions))
    assert states == ["asked", *["answered"] * 50]
