"""Questions to a loopback server or to a provider in memory, and a program that asks in a process that tests can kill.

`python asking.py STORE URL '{"first": 0, "past": 100, …}'` prints one JSON line: how many were answered, and whether the budget ended it.
"""

import asyncio
import json
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.llm.answer_store import AnswerStore
from harness.llm.client import Answer, Client
from harness.llm.messages import Message, Reply, Request, Usage
from harness.llm.provider import ProviderAccess, ProviderLimits
from harness.llm.question_job import Question, QuestionJob
from tests.harness.llm.loopback_server import KEY, LoopbackServer

MODELS = {"openai": "gpt-4.1-mini", "anthropic": "claude-haiku-4-5"}


def question(provider: str, text: str, *, max_tokens: int = 64) -> Request:
    """Return a question to a priced model of a provider."""
    return Request(provider, MODELS[provider], (Message("user", text),), max_tokens=max_tokens)


def hasty(**changes: Any) -> ProviderLimits:
    """Return limits under which tests do not wait long."""
    return replace(ProviderLimits(concurrency=8, seconds=10.0, tries=3, pause=0.02, longest_pause=0.1), **changes)


@dataclass(eq=False)
class MemoryProvider:
    """A provider in memory that answers when `go` is set, or raises what `fault` gives for the so-manieth question."""

    fault: Callable[[int], BaseException | None] = lambda _: None
    asked: int = 0
    go: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, _request: Request, _label: str) -> Reply:
        """Answer, or raise."""
        self.asked += 1
        error = self.fault(self.asked - 1)
        self.arrived.set()
        await self.go.wait()
        await asyncio.sleep(0.02)
        if error is not None:
            raise error
        return Reply("yes", Usage(10, 1))

    async def close(self) -> None:
        """Do nothing."""

    def client(self, store: AnswerStore, **limits: float) -> Client:
        """Return a client that asks this provider under the name of OpenAI's."""
        client = Client(store, ProviderAccess({"OPENAI_API_KEY": "sk-of-no-use"}), limits={"openai": hasty(**limits)})
        client.lane("openai").provider = self
        return client


def answers(
    server: LoopbackServer,
    path: Path,
    *requests: Request,
    limits: ProviderLimits | None = None,
    budget: int | None = None,
) -> list[Answer]:
    """Return the results of questions that are asked at the same time through the store at a path."""

    async def all_answers(store: AnswerStore) -> list[Answer]:
        chosen = dict.fromkeys(MODELS, limits or hasty())
        async with Client(store, ProviderAccess(server.variables), limits=chosen, budget=budget) as client:
            return list(await asyncio.gather(*map(client.ask, requests)))

    with AnswerStore(path) as store:
        return asyncio.run(all_answers(store))


def rows(path: Path, request: Request) -> list[dict[str, Any]]:
    """Return the attempts at a question that a store keeps."""
    with AnswerStore(path) as store:
        return store.attempts(request.key)


def all_attempts(store: AnswerStore) -> list[dict[str, Any]]:
    """Return the attempts at all questions of a store."""
    with store.transaction() as connection:
        keys = [row["key"] for row in connection.execute("SELECT key FROM requests ORDER BY key")]
    return [attempt for key in keys for attempt in store.attempts(key)]


def variables(url: str) -> dict[str, str]:
    """Return the environment in which a server is asked."""
    keys = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
    return {**keys, "OPENAI_BASE_URL": f"{url}/v1", "ANTHROPIC_BASE_URL": url}


def run(
    store: AnswerStore,
    url: str,
    *,
    first: int = 0,
    past: int = 100,
    at: float = 0.0,
    budget: int | None = None,
    **limits: Any,
) -> dict[str, int]:
    """Ask numbered questions from a time on, and return what came of it; the model is given up late, since faults are what is tested."""
    own = replace(ProviderLimits(concurrency=32, seconds=20.0, tries=8, pause=0.05, failures=50), **limits)
    client = Client(store, ProviderAccess(variables(url)), limits={"openai": own}, budget=budget)
    talks = [Question(question("openai", f"question {number}")) for number in range(first, past)]
    job = QuestionJob(client)
    time.sleep(max(at - time.time(), 0.0))  # for processes that start together
    asyncio.run(job.ask(talks))
    answered = sum(talk.outcome is not None and talk.outcome.reply is not None for talk in talks)
    return {"answered": answered, "stopped": int(bool(job.stopped))}


if __name__ == "__main__":
    # A shell lets its background jobs, and what they start, ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    path, address, terms = sys.argv[1:]
    with AnswerStore(Path(path)) as opened:
        print(json.dumps(run(opened, address, **json.loads(terms))), flush=True)  # noqa: T201  # what it is for
