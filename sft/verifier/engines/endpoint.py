"""The engine that asks a model behind an OpenAI-compatible server: vLLM, llama.cpp, Ollama, or a provider."""

from __future__ import annotations

import atexit
import json
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.errors import HarnessError
from harness.llm.faults import CLOSING, RequestFault, RequestFaultKind
from harness.llm.messages import Message, Reply, Request
from harness.solution.labels import CORRECT, FLAWED, ErrorType
from sft.samples.solution_judgement import LONGEST_EXPLANATION, SCHEMA, Judgement
from sft.verifier.engine_registry import engine
from sft.verifier.language_model.endpoint_client import KEY, PROVIDER, ClientEngine, opened_client
from sft.verifier.language_model.model_judgements import with_details
from sft.verifier.language_model.zero_shot import INSTRUCTION, item_prompt

if TYPE_CHECKING:
    from sft.samples.items import Item
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings

MOST_TOKENS = 512
LONGEST_REPLY = 8_000
_FORMS: tuple[dict[str, Any], ...] = ({"schema": SCHEMA, "logprobs": True}, {"schema": SCHEMA}, {})
"""Options of a request, the most demanding first. When a server refuses one, the next is tried."""


class _Details(BaseModel):
    model_config = ConfigDict(extra="forbid")

    error_type: ErrorType
    erroneous_line_number: str = Field(max_length=10)
    explanation: str = Field(min_length=1, max_length=LONGEST_EXPLANATION)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")

    verdict: Literal["Correct", "Flawed"]
    error_details: _Details | None


@dataclass(slots=True)
class EndpointEngine(ClientEngine):
    """Asks a server for the JSON object, by its schema if the server accepts one; an unusable reply is requested once more.

    If the second reply is unusable too, the item is unjudged, with the reason. Requests go through the client of
    `harness.llm`: it follows no redirect, reads no endless answer, and gives each failure its kind. `reached` is true
    after the first answer.
    """

    address: str
    model: str
    name: str = "endpoint"
    reached: bool = False
    _form: int = 0

    async def judgement(self, item: Item) -> Judgement:
        """Return the judgement on one item."""
        request = Request(
            PROVIDER, self.model, (Message("user", item_prompt(item)),), system=INSTRUCTION, max_tokens=MOST_TOKENS
        )
        reason = ""
        for _ in range(2):
            reply = await self._ask(request)
            if isinstance(reply, RequestFault):
                return self._failed(reply)
            text = reply.text[:LONGEST_REPLY].strip()
            try:
                return _judgement(text, _probability(reply.raw), item)
            except ValueError as error:
                reason = _reason(error)
            request = request.followed(
                Message("assistant", text),
                Message("user", f"That is not usable: {reason}. Answer with the JSON object alone."),
            )
        return Judgement.unjudged(f"the endpoint's answer is not usable: {reason}")

    async def _ask(self, request: Request) -> Reply | RequestFault:
        while True:
            form = self._form
            answer = await self.client.ask(replace(request, **_FORMS[form]))
            if answer.reply is not None:
                self.reached = True
                return answer.reply
            fault = answer.fault or RequestFault(RequestFaultKind.LOST, "no reply and no fault")
            if fault.kind is RequestFaultKind.EMPTY:
                self.reached = True
                return Reply("")
            if fault.kind is not RequestFaultKind.REQUEST or form + 1 == len(_FORMS):
                return fault
            self._form = max(self._form, form + 1)

    def _failed(self, fault: RequestFault) -> Judgement:
        """Return the judgement after a fault; the server's words are left out, since they may repeat the key."""
        refused = fault.kind in CLOSING or fault.kind in {RequestFaultKind.UNREACHED, RequestFaultKind.DOWN}
        if refused and not self.reached:
            raise HarnessError(
                f"{self.address}: {fault.kind}; expected an OpenAI-compatible server that has the model {self.model!r} and takes the key in ${KEY}"
            )
        return Judgement.unjudged(f"the endpoint failed: {fault.kind}")


def _judgement(text: str, probability: float | None, item: Item) -> Judgement:
    """Return the judgement of a reply.

    Raises:
        ValueError: the reply does not have the expected form, or contradicts itself or the item.
    """
    # Without a schema, models write a fence or a sentence around the object.
    reply = _Reply.model_validate_json(text[text.find("{") : text.rfind("}") + 1] or text)
    details = reply.error_details
    confidence = 1.0 if probability is None else probability
    if reply.verdict == CORRECT:
        if details is not None:
            raise ValueError(f"error_details must be null where the verdict is {CORRECT}")
        return Judgement(flawed=False, confidence=confidence)
    if details is None:
        raise ValueError(f"error_details must say what is wrong where the verdict is {FLAWED}")
    places = item.places()
    if details.erroneous_line_number not in places:
        raise ValueError(f"erroneous_line_number must be one of {', '.join(places)[:200]}")
    return with_details(Judgement(flawed=True, confidence=confidence), details.model_dump())


def _reason(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc']))[:60]}: {first['msg'][:120]}".removeprefix(": ")
    return str(error)[:160]


def _probability(body: str) -> float | None:
    """Return the probability of the tokens of the verdict in the body of a reply, `None` if the server does not give it."""
    try:
        tokens = [
            (str(token["token"]), float(token["logprob"]))
            for token in json.loads(body)["choices"][0]["logprobs"]["content"]
        ]
    except (KeyError, IndexError, TypeError, ValueError, RecursionError):
        return None
    text, spans = "", []
    for token, logprob in tokens:
        spans.append((len(text), len(text) + len(token), logprob))
        text += token
    verdicts = [(text.find(f'"{word}"'), len(word)) for word in (CORRECT, FLAWED) if f'"{word}"' in text]
    if not verdicts:
        return None
    start, length = min(verdicts)
    inside = [logprob for begin, end, logprob in spans if begin < start + 1 + length and end > start + 1]
    chance = math.exp(min(0.0, sum(inside)))
    return chance if math.isfinite(chance) else None


@engine("endpoint", any_script=True)
def open_endpoint(settings: EngineSettings) -> Engine:
    """Return the engine for the server and the model that the settings name; its key is read from the environment.

    Raises:
        HarnessError: server or model is not named, or the openai library is not installed.
    """
    client = opened_client(settings)
    opened = EndpointEngine(client, settings.endpoint, settings.model)
    atexit.register(opened.close)
    return opened
