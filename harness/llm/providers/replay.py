"""The provider `replay`: answers from a store that was recorded before."""

from dataclasses import dataclass, replace
from pathlib import Path

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.faults import RequestFault, RequestFaultKind
from harness.llm.messages import Reply, Request
from harness.llm.provider import Provider, ProviderAccess, ProviderLimits, provider

RECORDED = "REPLAY_STORE"


@dataclass
class _Replay:
    """Looks up questions under the keys that they have for the recorded model; sends no request."""

    store: AnswerStore

    async def ask(self, request: Request, label: str) -> Reply:  # noqa: ARG002  # the label belongs to the question to `replay`
        name, _, model = request.model.partition(":")
        recorded = replace(request, provider=name, model=model)
        reply = self.store.answer(recorded.key) if name else None
        if reply is None:
            reason = f"{self.store.path} holds no answer of {recorded.name} to question {recorded.key}"
            if not name:
                reason = f"expected the provider and model whose answers are replayed, such as replay:openai:gpt-4.1-mini, found {request.name!r}"
            raise RequestFault(RequestFaultKind.REQUEST, reason)
        return reply

    async def close(self) -> None:
        self.store.close()


@provider("replay", limits=ProviderLimits(tries=1))
def open_replay(access: ProviderAccess) -> Provider:
    """Answers recorded in the store that REPLAY_STORE names, as replay:openai:gpt-4.1-mini; no request is sent."""
    path = access.variables.get(RECORDED, "")
    if not path or not Path(path).is_file():
        raise HarnessError(
            f"replay: expected {RECORDED} to name the store of an earlier run, found {path!r}, which is no file"
        )
    return _Replay(AnswerStore(Path(path)))
