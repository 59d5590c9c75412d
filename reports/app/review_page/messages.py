"""Types of the messages between the Review page in the browser and the server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from reports.review.candidates.candidates import CandidateTexts

if TYPE_CHECKING:
    from reports.review.json_views import AuditView, CandidateView

_BREAKS = re.compile(r"[\r\n]+")
MOST_LINES = 400
MOST_CHARACTERS = 100_000
MOST_MESSAGES = 200


def _sendable(value: object) -> object:
    """Return text without lone surrogates, which neither SQLite nor UTF-8 can hold."""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else value


def _one_line(value: object) -> object:
    """Return the text of a field: a line of a solution holds no line break."""
    value = _sendable(value)
    return _BREAKS.sub(" ", value) if isinstance(value, str) else value


Written = Annotated[str, BeforeValidator(_sendable), Field(max_length=MOST_CHARACTERS)]
Line = Annotated[str, BeforeValidator(_one_line), Field(max_length=MOST_CHARACTERS)]


class PageMessage(BaseModel):
    """One thing a reviewer did; `number` counts up within a client, so that none is taken twice.

    `candidate` and `version` say what it was done to: of an undo, whose decision is taken back.
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
        """Return what stood in the fields."""
        return CandidateTexts(self.lines, self.explanation)


class PageOutbox(BaseModel):
    """What a client has sent and not yet been told to have arrived: the same messages come until they are acknowledged."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    client: Written
    messages: tuple[PageMessage, ...] = Field(default=(), max_length=MOST_MESSAGES)


class CandidateSheet(TypedDict):
    """A candidate as it lies before a reviewer: with the texts as the server last knew them, and what the audit says of those."""

    view: CandidateView
    audit: AuditView


class RejectOption(TypedDict):
    """A reason to reject for: its value in the record, and its words."""

    value: str
    words: str


class UndoableDecision(TypedDict):
    """The reviewer's last decision: what it was, and on which candidate."""

    candidate: str
    version: str
    decision: str


class PageData(TypedDict):
    """What the page is told each time.

    Attributes:
        desk: changes when the server forgot the session: what it does not know is sent again.
        place: names the state file and the reviewer, under which a browser keeps drafts.
        client: whose messages `ack` counts.
        ack: the number of the last message taken.
        refused: the numbers of decisions that were not taken, and so are still to be made.
        now: what is to be decided; None where nothing is left.
        next: what comes after it, held already, so that no time passes.
        notice: why something was not done, or nothing.
        trouble: why messages could not be taken now: they come again.
        nothing: what to say where nothing is left.
        today: how many decisions the reviewer made today.
        median: median seconds of those, None without any.
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
