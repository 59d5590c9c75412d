"""Tests of replay: recorded answers are returned for the same questions only, without cost."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore, RequestClaim
from harness.llm.client import Answer, Client
from harness.llm.faults import RequestFaultKind
from harness.llm.messages import Message, Reply, Request, Usage
from harness.llm.provider import PROVIDERS, ProviderAccess
from tests.cases import cases

ASKED = Request("openai", "gpt-4.1-mini", (Message("user", "2 + 2?"),))
KEPT = Reply("4", Usage(9, 1, 3), raw='{"text": "4"}')


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """Return a store with one answer."""
    with AnswerStore(tmp_path / "recorded.sqlite") as store:
        claim = store.claim(ASKED, 100)
        assert isinstance(claim, RequestClaim)
        store.end(claim, KEPT, 50, 1.0)
    return tmp_path / "recorded.sqlite"


def replayed(recorded: Path, request: Request, tmp_path: Path) -> tuple[Answer, int]:
    """Return what a client gets by replaying, and what it spent."""

    async def go(client: Client) -> Answer:
        async with client:
            return await client.ask(request)

    with AnswerStore(tmp_path / "new.sqlite") as store:
        return asyncio.run(go(Client(store, ProviderAccess({"REPLAY_STORE": str(recorded)}), budget=0))), store.spent()


def test_a_recorded_answer_is_given_again(recorded: Path, tmp_path: Path) -> None:
    """A question put to `replay:openai:gpt-4.1-mini` has the answer recorded for that model, its usage, and no price."""
    answer, spent = replayed(recorded, replace(ASKED, provider="replay", model="openai:gpt-4.1-mini"), tmp_path)
    assert answer.reply == KEPT
    assert (answer.cost, spent) == (0, 0)


@cases(
    ("changes", "words"),
    [
        ({"model": "openai:gpt-4.1"}, "no answer of openai:gpt-4.1 to question"),
        ({"model": "openai:gpt-4.1-mini", "sample": 1}, "recorded.sqlite holds no answer"),
        ({"model": ""}, "such as replay:openai:gpt-4.1-mini, found 'replay'"),
    ],
)
def test_what_was_not_recorded_is_no_answer(
    recorded: Path, tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    """A question that differs in anything fails for good, with the model and key that were looked for; nobody is asked."""
    answer, _ = replayed(recorded, replace(ASKED, provider="replay", **changes), tmp_path)
    assert answer.fault is not None
    assert (answer.reply, answer.fault.kind, answer.asked) == (None, RequestFaultKind.REQUEST, 1)
    assert words in answer.fault.reason


@pytest.mark.parametrize("path", ["", "absent.sqlite"])
def test_the_store_must_be_there(path: str, tmp_path: Path) -> None:
    """Without the variable, or with one that names no file, there is an error, and no empty store is made."""
    given = str(tmp_path / path) if path else ""
    with pytest.raises(HarnessError, match="replay: expected REPLAY_STORE"):
        PROVIDERS.require("replay").open(ProviderAccess({"REPLAY_STORE": given}))
    assert not list(tmp_path.iterdir())
