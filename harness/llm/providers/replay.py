"""The provider `replay`: answers from a store that was recorded before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.faults import RequestFault, RequestFaultKind
from harness.llm.provider import provider
from harness.llm.rate_limits import ProviderLimits

if TYPE_CHECKING:
    from harness.llm.messages import Reply, Request
    from harness.llm.provider import Provider, ProviderAccess

RECORDED = "REPLAY_STORE"


class ReplayProvider:
    """Looks a question up under the key it has for the model that answered it; asks nobody."""

    def __init__(self, store: AnswerStore) -> None:
        """Keep the store, which `close` closes."""
        self.store = store

    async def ask(self, request: Request, label: str) -> Reply:  # noqa: ARG002  # the label is of the question as put to `replay`
        """Return the recorded answer with the usage it had.

        Raises:
            Fault: none is recorded, or the model's name does not say whose answers are wanted.
        """
        name, _, model = request.model.partition(":")
        if not name:
            raise RequestFault(
                RequestFaultKind.REQUEST,
                f"expected the provider and model whose answers are replayed, such as replay:openai:gpt-4.1-mini, found {request.name!r}",
            )
        put = replace(request, provider=name, model=model)
        reply = self.store.answer(put.key)
        if reply is None:
            raise RequestFault(
                RequestFaultKind.REQUEST, f"{self.store.path} holds no answer of {put.name} to question {put.key}"
            )
        return reply

    async def close(self) -> None:
        """Close the store."""
        self.store.close()


@provider("replay", limits=ProviderLimits(tries=1))
def open_replay(access: ProviderAccess) -> Provider:
    """Answers recorded in the store that REPLAY_STORE names, as replay:openai:gpt-4.1-mini; nobody is asked."""
    path = access.variables.get(RECORDED, "")
    if not path or not Path(path).is_file():
        raise HarnessError(f"replay: set {RECORDED} to the store of an earlier run, found {path!r}, which is no file")
    return ReplayProvider(AnswerStore(Path(path)))
