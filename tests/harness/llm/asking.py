"""A program that asks a server many questions through a store, in a process that tests can kill.

`python asking.py STORE URL '{"provider": "openai", "first": 0, "past": 100, …}'` prints one JSON line: how many were answered, the
seconds it took, and the most memory it held, in MiB.
"""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.llm.answer_store import AnswerStore
from harness.llm.client import Answer, Client
from harness.llm.messages import Message, Request
from harness.llm.provider import ProviderAccess, ProviderLimits
from harness.llm.question_job import Question, QuestionJob
from tests.harness.llm.loopback_server import KEY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.harness.llm.loopback_server import LoopbackServer

MODELS = {"openai": "gpt-4.1-mini", "anthropic": "claude-haiku-4-5"}


@dataclass(frozen=True)
class Job:
    """The questions to ask and the rate."""

    provider: str = "openai"
    first: int = 0
    past: int = 100
    rate: float = 0.0
    concurrency: int = 32
    seconds: float = 20.0
    tries: int = 8
    pause: float = 0.05
    budget: int | None = None
    max_tokens: int = 64
    at: float = 0.0

    def questions(self) -> Iterator[Request]:
        """Yield the questions, each made when it is its turn."""
        for number in range(self.first, self.past):
            yield question(self.provider, f"question {number}", max_tokens=self.max_tokens)

    @property
    def limits(self) -> ProviderLimits:
        """Return the limits; the circuit opens late, since faults are what is tested."""
        return ProviderLimits(
            concurrency=self.concurrency,
            requests=self.rate,
            seconds=self.seconds,
            tries=self.tries,
            pause=self.pause,
            failures=50,
        )


def question(provider: str, text: str, *, max_tokens: int = 64) -> Request:
    """Return a question to a priced model of a provider."""
    return Request(provider, MODELS[provider], (Message("user", text),), max_tokens=max_tokens)


def hasty(**changes: Any) -> ProviderLimits:
    """Return limits under which tests do not wait long."""
    return replace(ProviderLimits(concurrency=8, seconds=10.0, tries=3, pause=0.02, longest_pause=0.1), **changes)


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


def asked(store: AnswerStore, url: str, job: Job) -> dict[str, Any]:
    """Ask, and return what came of it."""
    began = time.monotonic()
    client = Client(store, ProviderAccess(variables(url)), limits={job.provider: job.limits}, budget=job.budget)
    talks, asking = [Question(request) for request in job.questions()], QuestionJob(client)
    time.sleep(max(job.at - time.time(), 0.0))  # for processes that start together
    asyncio.run(asking.ask(talks))
    answered = sum(talk.outcome is not None and talk.outcome.reply is not None for talk in talks)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.monotonic() - began
    return {"answered": answered, "stopped": int(bool(asking.stopped)), "seconds": seconds, "memory": most}


if __name__ == "__main__":
    # A shell lets its background jobs, and what they start, ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    path, address, told = sys.argv[1:]
    with AnswerStore(Path(path)) as opened:
        print(json.dumps(asked(opened, address, Job(**json.loads(told)))), flush=True)  # noqa: T201  # what it is for
