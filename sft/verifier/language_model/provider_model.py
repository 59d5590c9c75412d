"""A model of any provider of `harness.llm`, whose answers are kept in a store and not asked for again."""

from __future__ import annotations

import asyncio
import atexit
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.client import Client
from harness.llm.faults import CLOSING
from harness.llm.protocols.chat_completions import COMPATIBLE_ADDRESS, COMPATIBLE_KEY
from harness.llm.provider import ProviderAccess, split_model_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from harness.llm.client import Answer
    from harness.llm.messages import Request


@dataclass(slots=True)
class ZeroShotAccess:
    """The store of the answers of zero-shot models; `offline` forbids new requests."""

    path: Path
    offline: bool = False

    def refused(self, request: Request) -> HarnessError:
        """Return the error for a missing answer in offline mode."""
        return HarnessError(
            f"{self.path}: holds no answer {request.key} of {request.name}, and --offline forbids new requests; run it once without"
        )


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The text of an answer; where there is none, `fault` says why."""

    text: str = ""
    fault: str = ""


@dataclass(slots=True)
class ProviderModel:
    """A model as `openai:gpt-4.1-mini`, with the access to its provider and the store of its answers."""

    spec: str
    asking: ZeroShotAccess
    access: ProviderAccess
    _runner: asyncio.Runner = field(default_factory=asyncio.Runner)
    _client: Client | None = None

    @classmethod
    def opened(cls, model: str, endpoint: str, asking: ZeroShotAccess) -> ProviderModel:
        """Return the model of a provider, or of an OpenAI-compatible server at `endpoint`.

        Raises:
            HarnessError: no model is named, or its provider is unknown.
        """
        if not model:
            raise HarnessError(
                "zero-shot-llm: needs --model, such as openai:gpt-4.1-mini or local, or --endpoint URL and --model NAME"
            )
        access = ProviderAccess.of_environment()
        if endpoint:
            key = access.variables.get("OPENAI_API_KEY") or access.variables.get(COMPATIBLE_KEY, "")
            access = ProviderAccess({**access.variables, COMPATIBLE_ADDRESS: endpoint, COMPATIBLE_KEY: key})
            model = f"compatible:{model}"
        split_model_name(model)
        opened = cls(model, asking, access)
        atexit.register(opened.close)
        return opened

    def answers(self, requests: Sequence[Request]) -> Iterator[ModelAnswer]:
        """Yield the answers to requests, in order.

        Raises:
            HarnessError: the provider refuses every request or has no key, or an answer is missing in offline mode.
        """
        for answer in self._runner.run(self._answers(requests)):
            if answer.reply is not None:
                yield ModelAnswer(answer.reply.text)
            elif self.asking.offline:
                raise self.asking.refused(answer.request)
            elif answer.fault is None or answer.fault.kind in CLOSING:
                raise HarnessError(f"{self.spec}: {answer.fault}")
            else:
                yield ModelAnswer(fault=f"the model did not answer: {answer.fault}")

    async def _answers(self, requests: Sequence[Request]) -> list[Answer]:
        if self._client is None:
            client = Client(AnswerStore(self.asking.path), self.access, offline=self.asking.offline)
            if not self.asking.offline:
                client.open([split_model_name(self.spec)[0]])
            self._client = await client.__aenter__()
        return list(await asyncio.gather(*map(self._client.ask, requests)))

    def close(self) -> None:
        """Close the connection, and the server if one was started."""
        client, self._client = self._client, None
        if client is not None:
            self._runner.run(client.__aexit__(None, None, None))
        # Requests under way, left by one that was refused, end here and are noted.
        self._runner.close()
        if client is not None:
            client.store.close()
