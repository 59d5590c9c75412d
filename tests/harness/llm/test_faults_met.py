"""Tests of each fault of a server by itself: its kind, whether the question is asked again, and what is stored."""

import asyncio
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.llm.messages import CLOSING, TRANSIENT, UNBILLED, Message, Request, RequestFaultKind, StopReason
from harness.llm.provider import PROVIDERS, ProviderAccess
from tests.cases import cases
from tests.harness.llm.asking import MODELS, answers, hasty, question, rows
from tests.harness.llm.loopback_server import FAULTS, LoopbackServer, scripted

LATE = {"slow", "stall"}


@pytest.mark.parametrize("provider", ["openai", pytest.param("anthropic", marks=pytest.mark.slow)])
@cases("name", FAULTS)
def test_a_fault_has_its_kind_is_asked_again_or_not_and_stands_in_the_store(
    tmp_path: Path, provider: str, name: str
) -> None:
    """A fault has its kind, is asked again where that can help, and each attempt is a row with its possible cost."""
    request, kind = question(provider, "why?"), FAULTS[name]
    limits = hasty(seconds=1.0 if name in LATE else 10.0)
    with LoopbackServer(plan=scripted({"why?": [name]}), retry_after=0.01, slow=2.0) as server:
        (answer,) = answers(server, tmp_path / "store", request, limits=limits)
    attempts = rows(tmp_path / "store", request)

    assert attempts[0]["kind"] == kind
    assert attempts[0]["state"] == "failed"
    assert (attempts[0]["cost"] == 0) == (kind in UNBILLED)
    assert server.paid["why?"] == (kind in TRANSIENT)
    if kind in TRANSIENT:
        assert answer.reply is not None
        assert answer.reply.text == "answer to why?"
        assert [row["state"] for row in attempts] == ["failed", "answered"]
        assert answer.cost == sum(row["cost"] for row in attempts)
    else:
        assert answer.fault is not None
        assert answer.fault.kind == kind
        assert len(attempts) == server.deliveries["why?"] == 1


@pytest.mark.parametrize("provider", MODELS)
def test_an_answer_is_made_once(tmp_path: Path, provider: str) -> None:
    """Every try of a question bears the same label, so a server that keeps labels bills an answer that got lost once; a refusal is an answer."""
    lost, refused = question(provider, "why?"), question(provider, "how?")
    with LoopbackServer(plan=scripted({"why?": ["reset-late", "truncated"], "how?": ["refusal"]})) as server:
        got = answers(server, tmp_path / "store", lost, refused)
    assert [answer.asked for answer in got] == [3, 1]
    assert [answer.reply and answer.reply.stop for answer in got] == [StopReason.END, StopReason.REFUSAL]
    assert (server.deliveries["why?"], server.paid["why?"], server.paid["how?"]) == (3, 1, 1)


@pytest.mark.parametrize("name", ["forbidden", "missing", "quota"])
def test_a_model_to_which_there_is_no_access_is_asked_once(tmp_path: Path, name: str) -> None:
    """After a refusal that every question would meet, nobody asks that model again, while other models are asked on."""
    closed = [question("openai", f"closed {number}") for number in range(5)]
    other = question("anthropic", "other")
    plan = {request.messages[0].text: [name] * 9 for request in closed}
    with LoopbackServer(plan=scripted(plan)) as server:
        got = answers(server, tmp_path / "store", *closed, other, limits=hasty(concurrency=1))
    assert FAULTS[name] in CLOSING
    assert sum(server.deliveries.values()) == 2
    assert [answer.fault.kind if answer.fault else None for answer in got] == [
        FAULTS[name],
        *[RequestFaultKind.DOWN] * 4,
        None,
    ]
    assert got[1].fault is not None
    assert "HTTP 4" in got[1].fault.reason


@pytest.mark.parametrize("provider", MODELS)
def test_what_was_not_sent_costs_nothing(tmp_path: Path, provider: str) -> None:
    """Half a pair of surrogates in a prompt is a fault of that question alone; where no connection is made, no answer can have been made."""
    odd, other = question(provider, "half: \ud83d"), question(provider, "whole")
    with LoopbackServer() as server:
        first, second = answers(server, tmp_path / "store", odd, other)
    (third,) = answers(server, tmp_path / "store", question(provider, "why?"))
    assert second.reply is not None
    assert first.fault is not None
    assert third.fault is not None
    assert (first.fault.kind, first.cost) == (RequestFaultKind.REQUEST, 0)
    assert (third.fault.kind, third.cost, third.asked) == (RequestFaultKind.UNREACHED, 0, 3)


@pytest.mark.parametrize(("name", "sent"), [("openai", True), ("gemini", False), ("compatible", False)])
def test_what_the_environment_holds_for_openai_is_sent_to_openai(
    monkeypatch: pytest.MonkeyPatch, name: str, sent: bool
) -> None:
    """Headers that OpenAI's library takes from the environment go to OpenAI's provider, and to no other server."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gate: 7")
    with LoopbackServer(keep_bodies=True) as server:

        async def ask() -> None:
            provider = PROVIDERS.require(name).open(ProviderAccess(server.variables))
            await provider.ask(Request(name, "m", (Message("user", "why?"),)), "label")
            await provider.close()

        asyncio.run(ask())
        headers = {key.lower(): value for key, value in server.headers[0].items()}
    assert ("openai-organization" in headers, "x-gate" in headers) == (sent, sent)
    assert headers["authorization"] == f"Bearer {server.key}"


def test_an_address_that_is_none_is_told() -> None:
    """An unusable address gives one line with the address and the reason."""
    variables = {"OPENAI_API_KEY": "sk-of-no-use", "OPENAI_BASE_URL": "http://127.0.0.1:port/v1"}
    with pytest.raises(HarnessError, match=r"127\.0\.0\.1:port"):
        PROVIDERS.require("openai").open(ProviderAccess(variables))
