"""Messages, requests and replies of language models, with their token usage, and the kinds of failure of a request."""

import enum
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Self

MOST_TOKENS = 2_048
_BYTES_A_TOKEN = 3.5
_PER_MESSAGE = 32
"""An upper bound of the tokens that a provider adds to one message or schema."""


@dataclass(frozen=True, slots=True)
class Message:
    """A turn of a conversation."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a request: the input, its parts read from and written to the provider's cache, and the output."""

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0

    @property
    def total(self) -> int:
        """Return the sum of input and output, which limits on tokens a minute count."""
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Request:
    """One question to one model.

    `system` is the part that many requests share; it comes first, because providers cache it and charge less for it. `schema` is a
    JSON schema and `grammar` a GBNF grammar of the answer, for providers that take one. `sample` distinguishes equal requests.
    `logprobs` asks for the log-probabilities of the answer's tokens, which stand in `Reply.raw`.
    """

    provider: str
    model: str
    messages: tuple[Message, ...]
    system: str = ""
    schema: dict[str, Any] | None = None
    grammar: str | None = None
    max_tokens: int = MOST_TOKENS
    temperature: float | None = 0.0
    sample: int = 0
    logprobs: bool = False

    @property
    def name(self) -> str:
        """Return the name of the model on the command line."""
        return f"{self.provider}:{self.model}" if self.model else self.provider

    def record(self) -> dict[str, Any]:
        """Return the JSON form, whose hash is the key."""
        # Equal temperatures, 0, 0.0 and -0.0, have one form.
        record = {**asdict(self), "temperature": None if self.temperature is None else self.temperature + 0.0}
        if not self.logprobs:  # the key of a request without the option is that of earlier stores
            del record["logprobs"]
        return record

    @property
    def key(self) -> str:
        """Return the hash of model, prompt and parameters: 32 hexadecimal digits."""
        text = json.dumps(self.record(), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def bound(self) -> Usage:
        """Return an upper bound of the usage: a token of a byte-level vocabulary has at least one byte."""
        return Usage(input=sum(self._sizes()) + _PER_MESSAGE * len(self._sizes()), output=self.max_tokens)

    def estimate(self) -> Usage:
        """Return the likely usage: English and code have three to four bytes a token; the output is the longest allowed."""
        return Usage(input=round(sum(self._sizes()) / _BYTES_A_TOKEN), output=self.max_tokens)

    def _sizes(self) -> list[int]:
        texts = [self.system, *(message.text for message in self.messages)]
        if self.schema is not None:
            texts.append(json.dumps(self.schema))
        return [len(text.encode("utf-8", "surrogatepass")) for text in texts]

    def followed(self, *messages: Message) -> Self:
        """Return the request with further messages of the conversation."""
        return replace(self, messages=(*self.messages, *messages))


class StopReason(enum.StrEnum):
    """Why a model stopped writing."""

    END = "end"
    LENGTH = "length"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a model; `raw` is the unchanged body."""

    text: str
    usage: Usage = Usage()
    stop: StopReason = StopReason.END
    raw: str = ""


LONGEST_REASON = 300
LONGEST_WAIT = 600.0


class RequestFaultKind(enum.StrEnum):
    """The kinds of fault, as the store keeps them."""

    RATE = "rate-limited"
    OVERLOADED = "overloaded"
    SERVER = "server-error"
    TIME = "timed-out"
    CONNECTION = "connection"
    UNREACHED = "unreachable"
    MALFORMED = "malformed-answer"
    EMPTY = "empty-answer"
    CONTEXT = "context-overflow"
    REQUEST = "bad-request"
    ACCESS = "access-denied"
    QUOTA = "out-of-credit"
    DOWN = "provider-down"
    PENDING = "in-batch"
    EXPIRED = "expired"
    LOST = "lost"


_Kind = RequestFaultKind
FAILING = frozenset(
    {_Kind.RATE, _Kind.OVERLOADED, _Kind.SERVER, _Kind.TIME, _Kind.CONNECTION, _Kind.UNREACHED, _Kind.MALFORMED}
)
"""Faults of the server, not of the question; after many in a row the model is given up."""
TRANSIENT = FAILING | {_Kind.EMPTY}
"""Faults after which the same question is asked again."""
CLOSING = frozenset({_Kind.ACCESS, _Kind.QUOTA})
"""Faults that every further question to the same model would meet."""
UNBILLED = frozenset(_Kind) - {_Kind.TIME, _Kind.CONNECTION, _Kind.MALFORMED, _Kind.EMPTY, _Kind.PENDING, _Kind.LOST}
"""Refusals, which cost nothing. After any other fault the answer may exist, so it counts as paid for."""


@dataclass(eq=False, repr=False)
class RequestFault(Exception):
    """A question was not answered: the kind, the reason, the seconds that the provider asks to wait, the used tokens, the raw text."""

    kind: RequestFaultKind
    reason: str
    retry_after: float | None = None
    usage: Usage = field(default_factory=Usage)
    raw: str = ""

    def __post_init__(self) -> None:
        """Cut the reason to 300 characters."""
        self.reason = self.reason[:LONGEST_REASON]

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


def kind_of_status(status: int, text: str) -> RequestFaultKind:
    """Return the kind of an HTTP status of OpenAI's or Anthropic's interface; the body `text` distinguishes some kinds."""
    low = text.lower()
    if status == 402 or "insufficient_quota" in low or "credit balance is too low" in low:
        return _Kind.QUOTA
    if status >= 500 or status in {408, 409}:
        return _Kind.OVERLOADED if status in {503, 529} else _Kind.SERVER
    if status in {401, 403, 404, 429}:
        return _Kind.RATE if status == 429 else _Kind.ACCESS
    overlong = ("context_length", "context length", "maximum context", "prompt is too long", "exceed_context")
    return _Kind.CONTEXT if status == 413 or any(words in low for words in overlong) else _Kind.REQUEST


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that `Retry-After` asks to wait, at most ten minutes; `None` for a header without a number."""
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return None if math.isnan(seconds) else min(max(seconds, 0.0), LONGEST_WAIT)
