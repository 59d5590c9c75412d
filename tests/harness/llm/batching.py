"""Test helpers for batches: the server's process, questions, and jobs on the batches of a store."""

import asyncio
import json
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.llm.answer_store import AnswerStore
from harness.llm.batch_provider import BatchSize
from harness.llm.batches import BatchClient, BatchCollection, BatchSubmission
from harness.llm.client import Client
from harness.llm.messages import Request, Usage
from harness.llm.prices import PriceTable, TokenPrice
from harness.llm.provider import ProviderAccess, ProviderLimits
from tests.harness.llm.asking import MODELS, question, rows, variables

USED = Usage(10, 5)
QUICK = ProviderLimits(seconds=20, pause=0.01, longest_pause=0.02, tries=3)
APIS = pytest.mark.parametrize("api", sorted(MODELS))


class Server:
    """The server's process as tests see it."""

    def __init__(self, address: str) -> None:
        """Keep the address that it listens at."""
        self.address, self.access = address, ProviderAccess(variables(address))

    def plan(self, **plan: Any) -> None:
        """Tell the server how to behave from now on."""
        body = json.dumps(plan).encode()
        urllib.request.urlopen(urllib.request.Request(f"{self.address}/plan", body), timeout=30).close()  # noqa: S310  # our own server

    def seen(self) -> dict[str, Any]:
        """Return the requests that the server has received."""
        with urllib.request.urlopen(f"{self.address}/seen", timeout=30) as answer:  # noqa: S310  # our own server
            found: dict[str, Any] = json.load(answer)
        return found

    def labels(self) -> Counter[str]:
        """Return how many batches held each question."""
        return Counter(label for batch in self.seen()["batches"] for label in batch["labels"])


@contextmanager
def serving() -> Iterator[str]:
    """Run a server, and give its address."""
    pytest.importorskip("aiohttp")
    command = [sys.executable, str(Path(__file__).with_name("batching_server.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        yield f"http://127.0.0.1:{started.stdout.readline().strip()}"
        started.kill()


def questions(api: str, *texts: str) -> list[Request]:
    """Return questions of those texts."""
    return [question(api, text, max_tokens=50) for text in texts]


def many(api: str, count: int = 6) -> list[Request]:
    """Return this many questions."""
    return questions(api, *(f"question {number}" for number in range(count)))


def desk(
    server: Server,
    path: Path,
    job: Callable[[BatchClient], Awaitable[Any]],
    *,
    settled: float = 0.0,
    limits: ProviderLimits = QUICK,
    budget: int | None = None,
    most: BatchSize | None = None,
) -> Any:
    """Return the result of a job on the batches of a store."""

    async def run() -> Any:
        with AnswerStore(path) as store:
            client = Client(store, server.access, limits=dict.fromkeys(MODELS, limits), budget=budget)
            async with BatchClient(client, most=most, settled=settled) as batches:
                return await job(batches)

    return asyncio.run(run())


def through(requests: list[Request]) -> Callable[[BatchClient], Awaitable[Any]]:
    """Return a job that submits questions and waits for their results."""

    async def job(batches: BatchClient) -> tuple[BatchSubmission, BatchCollection]:
        return await batches.submit(requests), await batches.wait(every=0.02)

    return job


def price(api: str) -> TokenPrice:
    """Return the price of the model that is asked."""
    found = PriceTable.load().of(questions(api, "")[0])
    assert found is not None
    return found


def cost(api: str) -> int:
    """Return what an answer costs by batch."""
    return price(api).of(USED, batched=True)


def bound(api: str, request: Request) -> int:
    """Return what an answer to a question can cost by batch."""
    return price(api).most(request.bound(), batched=True)


def last(path: Path, request: Request) -> dict[str, Any]:
    """Return the last attempt at a question."""
    return rows(path, request)[-1]


def spent(path: Path) -> int:
    """Return the amount that a store has spent."""
    with AnswerStore(path) as store:
        return store.spent()
