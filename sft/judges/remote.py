"""A judge that asks a model behind a server or of a provider, through the client and the answer store of `harness.llm`."""

from __future__ import annotations

import asyncio
import atexit
import json
import math
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.chat_completions import COMPATIBLE_ADDRESS, COMPATIBLE_KEY
from harness.llm.client import Client
from harness.llm.messages import CLOSING, Message, Reply, Request, RequestFault, RequestFaultKind
from harness.llm.prices import CostEstimate, OpenQuestion, estimate
from harness.llm.provider import ProviderAccess, ProviderLimits, split_model_name
from sft.judges.forms import ItemT, JudgementT, QuestionForm

KEY = "OPENAI_API_KEY"
PROVIDER = "compatible"
MOST_TOKENS = 512
LIKELY_TOKENS = 96
"""Of an answer with an explanation of two sentences."""
_VERDICT = re.compile(r'"verdict"\s*:\s*"([^"]*)"')
LIMITS = ProviderLimits(concurrency=4, seconds=120.0, tries=2, pause=0.5, longest_pause=10.0)


@dataclass(frozen=True, slots=True)
class ZeroShotAccess:
    """The store of the answers of zero-shot models; `offline` forbids new requests, `budget` is the most that the store's may cost in picodollars."""

    path: Path
    offline: bool = False
    budget: int | None = None


@dataclass(slots=True)
class RemoteJudge(Generic[ItemT, JudgementT]):
    """Asks a model, all items of a batch at once, as far as the client's limits allow.

    `spec` is a name such as `openai:gpt-4.1-mini`, `address` that of an OpenAI-compatible server, empty for a provider. An answer that is not
    usable is asked for again, `tries` times in all; then the item is unjudged, with the reason. `forms` are options of a request, the most
    demanding first: when a server refuses one, the next is tried.
    """

    spec: str
    form: QuestionForm[ItemT, JudgementT]
    client: Client
    address: str = ""
    tries: int = 1
    name: str = "chat"
    at_once: int = 32
    _forms: tuple[dict[str, Any], ...] = ({"schema": True}, {})
    _reached: bool = False
    _runner: asyncio.Runner = field(default_factory=asyncio.Runner)

    @classmethod
    def of_server(
        cls, address: str, model: str, form: QuestionForm[ItemT, JudgementT], name: str = "endpoint"
    ) -> RemoteJudge[ItemT, JudgementT]:
        """Return the judge for a model behind a server; the key is read from the environment.

        Its answers are kept for this run alone: the key of a request does not name the server.
        Raises `HarnessError` where server or model is not named, or the openai library is not installed.
        """
        if not address.startswith(("http://", "https://")) or not model:
            found = f"found {address!r} and {model!r}"
            raise HarnessError(f"expected --endpoint URL, such as http://127.0.0.1:8000/v1, and --model NAME, {found}")
        folder = tempfile.TemporaryDirectory(prefix="oracle-factory-")
        atexit.register(folder.cleanup)
        store = AnswerStore(Path(folder.name) / "answers.sqlite")
        client = Client(store, _access(address), limits={PROVIDER: LIMITS})
        forms: tuple[dict[str, Any], ...] = ({"schema": True, "logprobs": True}, {"schema": True}, {})
        return cls(f"{PROVIDER}:{model}", form, client, address, 2, name, _forms=forms)

    @classmethod
    def of_provider(
        cls, model: str, endpoint: str, form: QuestionForm[ItemT, JudgementT], asking: ZeroShotAccess
    ) -> RemoteJudge[ItemT, JudgementT]:
        """Return the judge for a provider's model, or one at `endpoint`; its answers are kept in a store.

        Raises `HarnessError` where no model is named, or its provider is unknown.
        """
        if not model:
            how = "such as openai:gpt-4.1-mini or local, or --endpoint URL and --model NAME"
            raise HarnessError(f"zero-shot-llm: needs --model, {how}")
        spec = f"{PROVIDER}:{model}" if endpoint else model
        split_model_name(spec)
        client = Client(AnswerStore(asking.path), _access(endpoint), budget=asking.budget, offline=asking.offline)
        client.store.recover()
        return cls(spec, form, client, name="zero-shot-llm")

    def __post_init__(self) -> None:
        """Open the provider, unless no request may be sent, until the process ends."""
        if not self.client.offline:
            self.client.lane(split_model_name(self.spec)[0])
        atexit.register(self.close)

    def judge(self, items: Sequence[ItemT]) -> Iterator[JudgementT]:
        """Yield a judgement on each item, in order.

        Raises `HarnessError` where the server cannot be reached, or it refuses the key or the model, or an answer is missing in offline mode.
        """
        yield from self._runner.run(self._judgements(items))

    async def _judgements(self, items: Sequence[ItemT]) -> list[JudgementT]:
        return list(await asyncio.gather(*map(self._judgement, items)))

    async def _judgement(self, item: ItemT) -> JudgementT:
        if reason := self.form.lacks(item):
            return self.form.unjudged(reason)
        request = self._question(item)
        for _ in range(self.tries):
            reply = await self._reply(request, item)
            if isinstance(reply, RequestFault):
                return self._failed(reply)
            try:
                return self.form.read(reply.text, item, verdict_probability(reply.raw))
            except ValueError as error:
                reason = str(error)[:160]
            request = request.followed(
                Message("assistant", reply.text[:1_000]),
                Message("user", f"That is not usable: {reason}. Answer with {self.form.expected}."),
            )
        return self.form.unjudged(f"the model's answer is not usable: {reason}")

    def _question(self, item: ItemT) -> Request:
        provider, model = split_model_name(self.spec)
        return Request(provider, model, (Message("user", self.form.prompt(item)),), max_tokens=MOST_TOKENS)

    def _in_form(self, request: Request, options: Mapping[str, Any], item: ItemT) -> Request:
        wanted = dict(options)
        if wanted.pop("schema", False) and not self.form.choices:
            wanted["schema"] = self.form.schema(item)
        return replace(request, **wanted)

    def cost(self, items: Iterable[ItemT]) -> CostEstimate:
        """Return what the judgements will cost; those whose answer is in the store cost nothing."""

        def open_question(item: ItemT) -> OpenQuestion | None:
            requests = [self._in_form(self._question(item), options, item) for options in self._forms]
            if self.form.lacks(item) or any(self.client.store.answer(request.key) for request in requests):
                return None
            return OpenQuestion(requests[0], LIKELY_TOKENS, self.tries - 1)

        return estimate(self.spec, map(open_question, items), self.client.prices)

    async def _reply(self, request: Request, item: ItemT) -> Reply | RequestFault:
        while True:
            forms = self._forms
            answer = await self.client.ask(self._in_form(request, forms[0], item))
            if answer.reply is not None:
                self._reached = True
                return answer.reply
            if self.client.offline:
                why = f"holds no answer {answer.request.key} of {self.spec}, and --offline forbids new requests"
                raise HarnessError(f"{self.client.store.path}: {why}; run it once without")
            fault = answer.fault or RequestFault(RequestFaultKind.LOST, "no reply and no fault")
            if fault.kind is RequestFaultKind.EMPTY:
                self._reached = True
                return Reply("")
            if fault.kind is not RequestFaultKind.REQUEST or len(forms) == 1:
                return fault
            if len(self._forms) == len(forms):
                self._forms = forms[1:]

    def _failed(self, fault: RequestFault) -> JudgementT:
        """Return the judgement after a fault; a server's words are left out, since they may repeat the key."""
        refused = fault.kind in CLOSING or fault.kind in {RequestFaultKind.UNREACHED, RequestFaultKind.DOWN}
        if refused and not self._reached:
            told = f"{self.spec}: {fault}"
            if self.address:
                told = f"{self.address}: {fault.kind}; expected an OpenAI-compatible server that has the model {self.spec.partition(':')[2]!r} and takes the key in ${KEY}"
            raise HarnessError(told)
        told = f"the endpoint failed: {fault.kind}" if self.address else f"the model did not answer: {fault}"
        return self.form.unjudged(told)

    def close(self) -> None:
        """Close the connections and the store; requests under way, left by one that was refused, end here."""
        atexit.unregister(self.close)
        self._runner.run(self.client.__aexit__())
        self._runner.close()
        self.client.store.close()


def _access(address: str) -> ProviderAccess:
    """Return the access of the environment, with a server's address and key in place of the compatible provider's."""
    access = ProviderAccess()
    if not address:
        return access
    key = access.variables.get(KEY, "") or access.variables.get(COMPATIBLE_KEY, "")
    return ProviderAccess({**access.variables, COMPATIBLE_ADDRESS: address, COMPATIBLE_KEY: key})


def verdict_probability(body: str) -> float:
    """Return the probability of the tokens that write the verdict's word in the body of a reply, 1 if the server does not give them."""
    text, spans = "", []
    try:
        for token in json.loads(body)["choices"][0]["logprobs"]["content"]:
            begin, text = len(text), text + str(token["token"])
            spans.append((begin, len(text), float(token["logprob"])))
    except (KeyError, IndexError, TypeError, ValueError, RecursionError):
        return 1.0
    verdict = _VERDICT.search(text)
    if verdict is None:
        return 1.0
    inside = [logprob for begin, end, logprob in spans if begin < verdict.end(1) and end > verdict.start(1)]
    chance = math.exp(min(0.0, sum(inside)))
    return chance if math.isfinite(chance) else 1.0
