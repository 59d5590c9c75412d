"""The kinds of failure of a model request, and whether a retry can help."""

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.llm.messages import Usage

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
        """Return the kind and the reason."""
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
