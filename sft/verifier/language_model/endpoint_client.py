"""The client for one OpenAI-compatible server that the options of an engine name, and the base of the engines that ask it."""

from __future__ import annotations

import asyncio
import atexit
import tempfile
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.client import Client
from harness.llm.protocols.chat_completions import COMPATIBLE_ADDRESS, COMPATIBLE_KEY
from harness.llm.provider import ProviderAccess, ProviderLimits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Item
    from sft.samples.solution_judgement import Judgement
    from sft.verifier.engine_registry import EngineSettings

KEY = "OPENAI_API_KEY"
PROVIDER = "compatible"
LIMITS = ProviderLimits(concurrency=4, seconds=120.0, tries=2, pause=0.5, longest_pause=10.0)


@dataclass(slots=True)
class ClientEngine(ABC):
    """An engine that asks a server about all items of a batch at once, as far as the client's limits allow."""

    client: Client
    _runner: asyncio.Runner = field(default_factory=asyncio.Runner, kw_only=True)

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order.

        Raises:
            HarnessError: the server cannot be reached, or refuses the key or the model.
        """
        yield from self._runner.run(self._all(items))

    async def _all(self, items: Sequence[Item]) -> list[Judgement]:
        return list(await asyncio.gather(*map(self.judgement, items)))

    @abstractmethod
    async def judgement(self, item: Item) -> Judgement:
        """Return the judgement on one item."""

    def close(self) -> None:
        """Close the connections, and the store of this run's answers."""
        self._runner.run(self.client.__aexit__())
        # Requests under way, left by one that was refused, end here and are noted.
        self._runner.close()
        self.client.store.close()


def opened_client(settings: EngineSettings) -> Client:
    """Return the client for the server and the model that the settings name; its key is read from the environment.

    It follows no redirect, reads no endless answer, and gives each failure its kind. Its answers are kept for this run
    alone: the key of a request does not name the server.

    Raises:
        HarnessError: server or model is not named, or the openai library is not installed.
    """
    if not settings.endpoint.startswith(("http://", "https://")) or not settings.model:
        message = f"expected --endpoint URL, such as http://127.0.0.1:8000/v1, and --model NAME, found {settings.endpoint!r} and {settings.model!r}"
        raise HarnessError(message)
    access = ProviderAccess.of_environment()
    given = {COMPATIBLE_ADDRESS: settings.endpoint, COMPATIBLE_KEY: access.variables.get(KEY, "")}
    folder = tempfile.TemporaryDirectory(prefix="oracle-factory-")
    atexit.register(folder.cleanup)
    client = Client(
        AnswerStore(Path(folder.name) / "answers.sqlite"),
        ProviderAccess({**access.variables, **given}),
        limits={PROVIDER: LIMITS},
    )
    client.open([PROVIDER])
    return client
