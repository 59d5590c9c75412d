"""Types of the messages between the Review page in the browser and the server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from harness.records.review import CandidateTexts

if TYPE_CHECKING:
    from reports.review.json_views import AuditView, CandidateView

_BREAKS = re.compile(r"[\r\n]+")
MOST_LINES = 400
MOST_CHARACTERS = 100_000
MOST_MESSAGES = 200


def _sendable(value: object) -> object:
    """Return text without lone surrogates, which SQLite and UTF-8 cannot hold."""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else value


def _one_line(value: object) -> object:
    """Return the text of a field: a line of a solution holds no line break."""
    value = _sendable(value)
    return _BREAKS.sub(" ", value) if isinstance(value, str) else value


Written = Annotated[str, BeforeValidator(_sendable), Field(max_length=MOST_CHARACTERS)]
Line = Annotated[str, BeforeValidator(_one_line), Field(max_length=MOST_CHARACTERS)]


class PageMessage(BaseModel):
    """An action of a reviewer; `number` increases within a client, so that no message is handled twice.

    `candidate` and `version` name the candidate; for an undo, the candidate of the decision that is undone.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    number: int = Field(ge=1)
    kind: Literal["draft", "accept", "reject", "skip", "undo", "alive"]
    candidate: Written = ""
    version: Written = ""
    lines: tuple[Line, ...] = Field(default=(), max_length=MOST_LINES)
    explanation: Written = ""
    override: Written = ""
    reason: Written = ""
    note: Written = ""

    @property
    def texts(self) -> CandidateTexts:
        """Return the texts of the fields."""
        return CandidateTexts(self.lines, self.explanation)


class PageOutbox(BaseModel):
    """The messages of a client that are not acknowledged; the client repeats them until they are."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    client: Written
    messages: tuple[PageMessage, ...] = Field(default=(), max_length=MOST_MESSAGES)


class CandidateSheet(TypedDict):
    """A candidate with the latest texts that the server knows, and the audit of these texts."""

    view: CandidateView
    audit: AuditView


class RejectOption(TypedDict):
    """A reason for rejection: its value in the record, and its words."""

    value: str
    words: str


class UndoableDecision(TypedDict):
    """The reviewer's last decision and its candidate."""

    candidate: str
    version: str
    decision: str


class PageData(TypedDict):
    """The data that the server sends to the page.

    Attributes:
        desk: changes when the server lost the session; the browser then repeats its messages.
        place: identifies the state file and the reviewer; the browser keeps drafts under it.
        client: the client that `ack` belongs to.
        ack: the number of the last message that was handled.
        refused: the numbers of the decisions that were refused.
        now: the candidate to decide; None if none is left.
        next: the following candidate, which is leased in advance.
        notice: why an action was refused, or empty.
        trouble: why messages could not be handled; the browser repeats them.
        nothing: the text to show if no candidate is left.
        today: the number of today's decisions.
        median: median seconds of today's decisions, or None.
    """

    desk: str
    place: str
    session: str
    client: str
    ack: int
    refused: list[int]
    now: CandidateSheet | None
    next: CandidateSheet | None
    notice: str
    trouble: str
    nothing: str
    undo: UndoableDecision | None
    reasons: list[RejectOption]
    today: int
    median: float | None
