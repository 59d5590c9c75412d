"""Tests of waiting: how long a provider is left alone, and which time counts towards its time limit."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from harness.errors import HarnessError
from harness.llm.client import Client
from harness.llm.faults import RequestFault, RequestFaultKind
from harness.llm.messages import Reply, Request, Usage
from harness.llm.provider import ProviderAccess
from harness.llm.rate_limits import CircuitBreaker, ProviderLimits
from harness.llm.storage.answer_store import AnswerStore
from tests.harness.llm.asking import answers, hasty, question, rows
from tests.harness.llm.loopback_server import LoopbackServer, rate_kept, scripted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(("name", "least"), [("rate", 1.0), ("rate-ms", 0.7), ("rate-date", 0.7)])
def test_a_server_that_says_how_long_to_wait_is_not_asked_before(tmp_path: Path, name: str, least: float) -> None:
    """`Retry-After` in seconds, in milliseconds and as a date is honoured by all questions to that model."""
    with LoopbackServer(plan=scripted({"first": [name]}), retry_after=0.7) as server:
        answers(server, tmp_path / "store", question("openai", "first"), limits=hasty())
        assert server.arrivals[1] - server.arrivals[0] >= least


def test_a_model_whose_rate_is_exceeded_is_left_alone_by_all_and_no_other_is(tmp_path: Path) -> None:
    """A second question to the same model waits for the first one's `Retry-After`, one to another model does not."""
    refused, same = question("openai", "refused"), question("openai", "same")
    other = replace(question("openai", "other"), model="gpt-4.1")
    with LoopbackServer(plan=scripted({"refused": ["rate-ms"]}), retry_after=1.0, keep_bodies=True) as server:
        answers(server, tmp_path / "store", refused, same, other, limits=hasty(concurrency=1))
        order = [body["messages"][-1]["content"] for body in server.bodies]
    began = server.arrivals[0]
    at = dict(zip(order[1:], server.arrivals[1:], strict=True))
    assert order[:2] == ["refused", "other"]
    assert at["same"] - began >= 1.0
    assert at["refused"] - began >= 1.0


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


def test_no_more_are_under_way_than_the_limit(tmp_path: Path) -> None:
    """At most as many questions are under way at once as the limit says, however many are asked."""
    questions = [question("openai", f"question {number}") for number in range(12)]
    with LoopbackServer(seconds=0.2) as server:
        answers(server, tmp_path / "store", *questions, limits=hasty(concurrency=3))
        assert 1 < server.most_at_once <= 3


class _Scripted:
    """A provider in memory that answers as it is told: a circuit's laws need no server, and no seconds."""

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
            client.open(["openai"])
            client._lanes["openai"].provider = provider
            got = await asyncio.gather(*map(client.ask, requests))
            circuit = client._lanes["openai"].circuit(requests[0].model)
            state = "down" if circuit.down else "opened" if circuit.opened else "whole"
            return client, [state, *(str(answer.fault.kind) if answer.fault else "answered" for answer in got)]


_BROKEN = RequestFault(RequestFaultKind.SERVER, "broken")
_QUICK = hasty(concurrency=6, tries=9, pause=0.01, failures=4, openings=2)


def test_a_broken_server_is_left_alone_probed_and_asked_again_when_it_answers(tmp_path: Path) -> None:
    """After so many failures in a row one question at a time is let through; an answer closes the circuit."""
    provider = _Scripted(lambda number: _BROKEN if number < 13 else None, seconds=0.01)
    questions = [question("openai", f"question {number}") for number in range(12)]
    _, states = asyncio.run(_through(provider, tmp_path / "store", replace(_QUICK, concurrency=12), *questions))
    assert states == ["whole", *["answered"] * 12]
    # All were under way when it opened; then one went alone and failed, and one went alone and was answered.
    assert max(provider.together[:12]) == 12
    assert provider.together[12:14] == [1, 1]


def test_one_outage_is_one_failure_however_many_were_under_way(tmp_path: Path) -> None:
    """Questions that were under way when the circuit opened do not open it again: fifty at once do not give up a provider."""
    provider = _Scripted(lambda number: _BROKEN if number < 50 else None, seconds=0.02)
    questions = [question("openai", f"question {number}") for number in range(50)]
    _, states = asyncio.run(_through(provider, tmp_path / "store", replace(_QUICK, concurrency=50), *questions))
    assert states == ["whole", *["answered"] * 50]


def test_a_server_that_stays_broken_is_given_up(tmp_path: Path) -> None:
    """After so many openings without an answer nobody is asked any more, and each question says why."""
    provider = _Scripted(lambda _: _BROKEN)
    questions = [question("openai", f"question {number}") for number in range(30)]
    limits = replace(_QUICK, tries=4)
    _, states = asyncio.run(_through(provider, tmp_path / "store", limits, *questions))
    assert states[0] == "down"
    assert set(states[1:]) <= {"server-error", "provider-down"}
    assert provider.asked < 20


def test_a_question_that_the_server_refuses_is_no_failure_of_the_server(tmp_path: Path) -> None:
    """Bad questions and empty answers tell that the server works: the circuit stays whole."""
    kinds = [RequestFaultKind.REQUEST, RequestFaultKind.CONTEXT, RequestFaultKind.EMPTY]
    provider = _Scripted(lambda number: RequestFault(kinds[number % 3], "no"))
    questions = [question("openai", f"question {number}") for number in range(20)]
    _, states = asyncio.run(_through(provider, tmp_path / "store", replace(_QUICK, tries=1), *questions))
    assert states[0] == "whole"
    assert provider.asked == 20


def test_an_open_circuit_waits_longer_each_time() -> None:
    """Each opening doubles the time for which the server is left alone, up to a limit."""
    clock = [0.0]
    circuit = CircuitBreaker(ProviderLimits(pause=1, longest_pause=5, failures=1, openings=4), lambda: clock[0])
    waits = []
    for _ in range(4):
        circuit.failed("broken", probe=circuit.opened)
        waits.append(circuit._until - clock[0])
        clock[0] = circuit._until
    assert waits == [8, 16, 20, 20]
    assert not circuit.down
    circuit.failed("broken", probe=True)
    assert circuit.down


@pytest.mark.parametrize(
    "change", [{"tries": 0}, {"requests": -1.0}, {"seconds": float("nan")}, {"tokens": float("inf")}]
)
def test_limits_under_which_nothing_could_be_asked_are_refused(change: dict[str, float]) -> None:
    """A limit is a number, 0 or more, and a question is asked at least once."""
    with pytest.raises(HarnessError, match=next(iter(change))):
        ProviderLimits(**change)  # type: ignore[arg-type]  # what a configuration file may hold


def test_no_limit_on_concurrency_lets_all_go_at_once(tmp_path: Path) -> None:
    """0 means no limit."""
    provider = _Scripted(lambda _: None, seconds=0.02)
    questions = [question("openai", f"question {number}") for number in range(40)]
    _, states = asyncio.run(_through(provider, tmp_path / "store", replace(_QUICK, concurrency=0), *questions))
    assert states == ["whole", *["answered"] * 40]
    assert max(provider.together) > 20
