"""The engine that asks a model behind an OpenAI-compatible server: vLLM, llama.cpp, Ollama, or a provider."""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.errors import HarnessError
from harness.solution.labels import CORRECT, FLAWED, ErrorType
from sft.samples.solution_judgement import LONGEST_EXPLANATION, SCHEMA, Judgement
from sft.verifier.engine import engine
from sft.verifier.model_engine import with_details
from sft.verifier.zero_shot import messages_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Item
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine import EngineSettings

KEY = "OPENAI_API_KEY"
SECONDS = 120.0
TRIES = 2
WORKERS = 4
MOST_TOKENS = 512
LONGEST_REPLY = 8_000
_FORMAT = {"type": "json_schema", "json_schema": {"name": "judgement", "strict": True, "schema": SCHEMA}}
_LEVELS: tuple[dict[str, Any], ...] = ({"response_format": _FORMAT, "logprobs": True}, {"response_format": _FORMAT}, {})
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


@dataclass(frozen=True, slots=True)
class _Answer:
    """The text of a reply, and the probability of its verdict's tokens, `None` if the server does not give it."""

    text: str
    probability: float | None


@dataclass(slots=True)
class EndpointEngine:
    """Asks a server for the JSON object, by its schema if the server accepts one; an unusable reply is requested once more.

    If the second reply is unusable too, the item is unjudged, with the reason. `reached` is true after the first answer.
    """

    client: Any
    model: str
    name: str = "endpoint"
    reached: bool = field(default=False)
    _level: int = field(default=0)

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order.

        Raises:
            HarnessError: the server was never reached, or refuses the key or the model.
        """
        with ThreadPoolExecutor(WORKERS) as pool:
            yield from pool.map(self._judged, items)

    def _judged(self, item: Item) -> Judgement:
        import openai

        messages = messages_of(item)
        reason = ""
        for _ in range(2):
            try:
                reply = self._ask(messages)
            except openai.OpenAIError as error:
                return self._failed(error)
            try:
                return _judgement(reply, item)
            except ValueError as error:
                reason = _reason(error)
            messages = [
                *messages,
                {"role": "assistant", "content": reply.text},
                {"role": "user", "content": f"That is not usable: {reason}. Answer with the JSON object alone."},
            ]
        return Judgement.unjudged(f"the endpoint's answer is not usable: {reason}")

    def _ask(self, messages: list[dict[str, str]]) -> _Answer:
        import openai

        while True:
            level = self._level
            try:
                reply = self.client.chat.completions.create(
                    model=self.model, messages=messages, temperature=0, seed=0, max_tokens=MOST_TOKENS, **_LEVELS[level]
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError):
                if level + 1 == len(_LEVELS):
                    raise
                self._level = max(self._level, level + 1)
                continue
            self.reached = True
            choice = reply.choices[0] if reply.choices else None
            text = ((choice.message.content if choice else None) or "")[:LONGEST_REPLY].strip()
            tokens = choice.logprobs.content if choice and choice.logprobs else None
            return _Answer(text, _probability([(token.token, token.logprob) for token in tokens or ()]))

    def _failed(self, error: Exception) -> Judgement:
        """Return the judgement after an error of the server; the error text is left out, since it may contain the key."""
        import openai

        kind = type(error).__name__
        refused = (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError)
        if not self.reached and isinstance(error, (openai.APIConnectionError, *refused)):
            raise HarnessError(
                f"{self.client.base_url}: {kind}; expected an OpenAI-compatible server that has the model {self.model!r} and takes the key in ${KEY}"
            ) from None
        return Judgement.unjudged(f"the endpoint failed: {kind}")


def _judgement(answer: _Answer, item: Item) -> Judgement:
    """Return the judgement of a reply.

    Raises:
        ValueError: the reply does not have the expected form, or contradicts itself or the item.
    """
    # Without a schema, models write a fence or a sentence around the object.
    reply = _Reply.model_validate_json(answer.text[answer.text.find("{") : answer.text.rfind("}") + 1] or answer.text)
    details = reply.error_details
    confidence = 1.0 if answer.probability is None else answer.probability
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


def _probability(tokens: Sequence[tuple[str, float]]) -> float | None:
    """Return the probability of the tokens of the verdict, `None` if they are unknown."""
    text, spans = "", []
    for token, logprob in tokens:
        spans.append((len(text), len(text) + len(token), logprob))
        text += token
    verdicts = [(text.find(f'"{word}"'), len(word)) for word in (CORRECT, FLAWED) if f'"{word}"' in text]
    if not verdicts:
        return None
    start, length = min(verdicts)
    inside = [logprob for begin, end, logprob in spans if begin < start + 1 + length and end > start + 1]
    return min(1.0, math.exp(sum(inside)))


@engine("endpoint")
def open_endpoint(settings: EngineSettings) -> Engine:
    """Return the engine for the server and the model that the settings name; its key is read from the environment.

    Raises:
        HarnessError: server or model is not named, or the openai library is not installed.
    """
    if not settings.endpoint.startswith(("http://", "https://")) or not settings.model:
        message = f"expected --endpoint URL, such as http://127.0.0.1:8000/v1, and --model NAME, found {settings.endpoint!r} and {settings.model!r}"
        raise HarnessError(message)
    try:
        import openai
    except ImportError:
        raise HarnessError("an endpoint needs the openai library: make install-llm") from None
    key = os.environ.get(KEY) or "none"
    return EndpointEngine(
        openai.OpenAI(base_url=settings.endpoint, api_key=key, timeout=SECONDS, max_retries=TRIES), settings.model
    )
