"""The kinds of failure of a model request, and whether a retry can help."""

from __future__ import annotations

import datetime as dt
import enum
import math
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from harness.llm.messages import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_REASON = 300
LONGEST_WAIT = 600.0
_NOTHING = Usage()


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


FAILING = frozenset(
    {
        RequestFaultKind.RATE,
        RequestFaultKind.OVERLOADED,
        RequestFaultKind.SERVER,
        RequestFaultKind.TIME,
        RequestFaultKind.CONNECTION,
        RequestFaultKind.UNREACHED,
        RequestFaultKind.MALFORMED,
    }
)
"""Faults of the server, not of the question; many in a row open the circuit breaker."""

TRANSIENT = FAILING | {RequestFaultKind.EMPTY}
"""Faults after which the same question is asked again."""

CLOSING = frozenset({RequestFaultKind.ACCESS, RequestFaultKind.QUOTA})
"""Faults that every further question to the same model would meet."""

UNBILLED = frozenset(
    {
        RequestFaultKind.RATE,
        RequestFaultKind.OVERLOADED,
        RequestFaultKind.SERVER,
        RequestFaultKind.UNREACHED,
        RequestFaultKind.CONTEXT,
        RequestFaultKind.REQUEST,
        RequestFaultKind.ACCESS,
        RequestFaultKind.QUOTA,
        RequestFaultKind.DOWN,
        RequestFaultKind.EXPIRED,
    }
)
"""Refusals, which cost nothing. After any other fault the answer may exist, so it counts as paid for."""


class RequestFault(Exception):
    """A question was not answered: the kind, the reason, the seconds that the provider asks to wait, the used tokens, the raw text."""

    def __init__(
        self,
        kind: RequestFaultKind,
        reason: str,
        *,
        retry_after: float | None = None,
        usage: Usage = _NOTHING,
        raw: str = "",
    ) -> None:
        """Make a fault; the reason is cut to 300 characters."""
        self.kind = kind
        self.reason = reason[:LONGEST_REASON]
        self.retry_after = retry_after
        self.usage = usage
        self.raw = raw
        super().__init__(f"{kind}: {self.reason}")


def kind_of_status(status: int, text: str) -> RequestFaultKind:
    """Return the kind of an HTTP status of OpenAI's or Anthropic's interface; the body `text` distinguishes some kinds."""
    low = text.lower()
    if status == 402 or "insufficient_quota" in low or "credit balance is too low" in low:
        return RequestFaultKind.QUOTA
    if status == 429:
        return RequestFaultKind.RATE
    if status in {401, 403, 404}:
        return RequestFaultKind.ACCESS
    if status in {503, 529}:
        return RequestFaultKind.OVERLOADED
    if status in {408, 409} or status >= 500:
        return RequestFaultKind.SERVER
    if status == 413 or any(
        words in low
        for words in ("context_length", "context length", "maximum context", "prompt is too long", "exceed_context")
    ):
        return RequestFaultKind.CONTEXT
    return RequestFaultKind.REQUEST


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that `Retry-After` (or `retry-after-ms`) asks to wait, at most ten minutes; `None` without one."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        seconds = None if value is None else _seconds(value, scale)
        if seconds is not None:
            return min(max(seconds, 0.0), LONGEST_WAIT)
    return None


def _seconds(value: str, scale: float) -> float | None:
    """Return a number of seconds, or those until an HTTP date (RFC 9110, 10.2.3)."""
    try:
        seconds = float(value) * scale
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
            seconds = (date.replace(tzinfo=date.tzinfo or dt.UTC) - dt.datetime.now(dt.UTC)).total_seconds()
        except (TypeError, ValueError, OverflowError, IndexError):  # what the parser raises for texts that are no dates
            return None
    return None if math.isnan(seconds) else seconds
