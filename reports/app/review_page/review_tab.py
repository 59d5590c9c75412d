"""The state of one reviewer's tab: the messages that the page in the browser sends, the current candidate and the next one."""

import re
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from harness.errors import HarnessError
from harness.records.review import MOST_FINDINGS, CandidateTexts, Decision, DecisionLine, RejectReason
from harness.text.characters import replace_surrogates
from reports.review.candidate_queue import CandidateQueue, LeasedCandidate, QueueFilters
from reports.review.candidate_view import View, audit_view, candidate_view
from reports.review.review_state import DeclineReason, Lease, ReviewState, Ruling, key_of
from reports.review.seal import accepted_file, note_decision, write_accepted

_BREAKS = re.compile(r"[\r\n]+")
MOST_LINES = 400
MOST_CHARACTERS = 100_000
MOST_MESSAGES = 200


def _one_line(value: object) -> object:
    """Return the text of a field: a line of a solution holds no line break."""
    value = replace_surrogates(value)
    return _BREAKS.sub(" ", value) if isinstance(value, str) else value


Written = Annotated[str, BeforeValidator(replace_surrogates), Field(max_length=MOST_CHARACTERS)]
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
    def key(self) -> tuple[str, str]:
        """Return the id and the version of the candidate."""
        return self.candidate, self.version

    @property
    def texts(self) -> CandidateTexts:
        """Return the texts of the fields."""
        return CandidateTexts(self.lines, self.explanation)


class PageOutbox(BaseModel):
    """The messages of a client that are not acknowledged; the client repeats them until they are."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    client: Written
    messages: tuple[PageMessage, ...] = Field(default=(), max_length=MOST_MESSAGES)


def read_outbox(value: object) -> PageOutbox | None:
    """Read the browser's outbox, `None` if it has sent nothing yet.

    Raises a HarnessError if the outbox has another format than this version of the page writes.
    """
    if value is None:
        return None
    try:
        return PageOutbox.model_validate(value)
    except ValueError as error:
        first = " ".join(str(error).split())[:200]
        raise HarnessError(f"the page sent messages in an unknown format; reload the page ({first})") from None


REASONS = [{"value": str(reason), "words": reason.words} for reason in RejectReason]
_STAYS = {DeclineReason.OVERRIDE_MISSING, DeclineReason.REASON_MISSING}


def _sheet(taken: LeasedCandidate | None) -> View | None:
    if taken is None:
        return None
    shown = taken.candidate, taken.texts
    return {"view": candidate_view(*shown), "audit": audit_view(*shown)}


@dataclass(slots=True)
class ReviewTab:
    """A tab of a reviewer: the current candidate and the next one, which is leased in advance.

    The next candidate is leased by a session of its own, so that a reload finds the current one. Messages may be
    repeated, also after a restart; each is handled once.
    """

    state: ReviewState
    queue: CandidateQueue
    reviewer: str
    session: str
    filters: QueueFilters = field(default_factory=QueueFilters)
    place: str = ""
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    mine: list[DecisionLine] = field(default_factory=list)
    now: LeasedCandidate | None = None
    ahead: LeasedCandidate | None = None
    notice: str = ""
    _client: str = ""
    _ack: int = 0
    _refused: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Show the candidate that the session has leased, or the first one."""
        self._read_mine()
        write_accepted(self.queue.candidates, self.state)
        self._show_next()
        self.prepare()

    @property
    def _following(self) -> str:
        return f"{self.session}~"

    def choose(self, filters: QueueFilters) -> None:
        """Change the filters and draw again; drafts are kept."""
        if filters == self.filters:
            return
        self.filters, self.notice = filters, ""
        if self.now is not None:
            self.state.release(self.now.lease)
        self._draw_again()
        self.prepare()

    def _draw_again(self) -> None:
        if self.ahead is not None:
            self.state.release(self.ahead.lease)
        self.now = self.ahead = None
        self._show_next()

    def receive(self, outbox: PageOutbox) -> bool:
        """Handle new messages; return whether there were any.

        Raises a HarnessError if the state cannot be written; the message and those after it stay unacknowledged.
        """
        if outbox.client != self._client:
            self._client, self._ack, self._refused = outbox.client, 0, []
        fresh = sorted(
            (message for message in outbox.messages if message.number > self._ack), key=lambda message: message.number
        )
        for message in fresh:
            self._handle_message(message)
            self._ack = message.number
        if fresh:
            self.prepare()
        return bool(fresh)

    def prepare(self) -> None:
        """Lease the next candidate in advance."""
        if self.now is not None and self.ahead is None:
            self.ahead = self.queue.next(self.reviewer, self._following, self.filters)

    def page(self, *, trouble: str = "") -> View:
        """Return the data of the page; `trouble` says why messages could not be handled, and the browser repeats them.

        `desk` changes when the server lost the session, and the browser then repeats its messages; it keeps drafts under `place`, which
        names the state file and the reviewer. `ack` is the last message of the `client` that was handled, `refused` the decisions that
        were refused, `nothing` the text to show if no candidate is left.
        """
        last = self.mine[-1] if self.mine else None
        today, day = list[float](), datetime.now(tz=UTC).astimezone().date()
        for entry in self.mine:
            if entry.decision is not Decision.SKIP and datetime.fromisoformat(entry.at).astimezone().date() == day:
                today.append(entry.seconds)
        return {
            "desk": self.name,
            "place": self.place,
            "session": self.session,
            "client": self._client,
            "ack": self._ack,
            "refused": self._refused,
            "now": _sheet(self.now),
            "next": _sheet(self.ahead),
            "notice": self.notice,
            "trouble": trouble,
            "nothing": self._empty_queue_note(),
            "undo": last and {"candidate": last.candidate_id, "version": last.version, "decision": last.decision},
            "reasons": REASONS,
            "today": len(today),
            "median": median(today) if today else None,
        }

    def _read_mine(self) -> None:
        self.mine = [entry for entry in self.state.standing() if entry.reviewer == self.reviewer]

    def _empty_queue_note(self) -> str:
        if self.now is not None:
            return ""
        if self.filters != QueueFilters():
            return "No candidate passes the filters, or other reviewers hold those that do."
        return "No candidate is left: all are decided, every target is reached, or other reviewers hold the rest."

    def _show_next(self) -> None:
        """Show the leased candidate, else the one that was leased in advance, else the next."""
        taken = None
        if self.now is None and self.ahead is not None:
            # In one transaction: the page already shows this candidate, so no other reviewer may get it.
            lease, self.ahead = self.ahead.lease, None
            taken = self.queue.take(lease.candidate_id, self.reviewer, self.session, held=lease)
        self.now = taken or self.queue.next(self.reviewer, self.session, self.filters)

    def _handle_message(self, message: PageMessage) -> None:
        if message.kind in set(Decision):
            self._decide(message)
        elif message.kind == "undo":
            self._undo(message)
        elif message.kind == "draft":
            self._draft(message)
        else:  # a sign of life renews the leases of both candidates
            if self.ahead is not None and self.state.renew(self.ahead.lease, shown=False) is None:
                self.ahead = None
            if self.now is not None and self.state.renew(self.now.lease) is None:
                self._replace_lost(self.now, DeclineReason.LEASE_LOST)

    def _candidate_of(self, message: PageMessage) -> LeasedCandidate | None:
        return next((own for own in (self.now, self.ahead) if own and own.candidate.key == message.key), None)

    def _lease(self, message: PageMessage) -> Lease:
        """Return a lease for a candidate that this session no longer holds."""
        return Lease(*message.key, self.reviewer, self.session, 0.0)

    def _draft(self, message: PageMessage) -> None:
        laid = self._candidate_of(message)
        lease = self.state.save_draft(self._lease(message) if laid is None else laid.lease, message.texts)
        if laid is None:
            return
        laid.texts = message.texts
        if lease is None:
            self._replace_lost(laid, DeclineReason.LEASE_LOST)

    def _replace_lost(self, laid: LeasedCandidate, why: DeclineReason) -> None:
        """Show a notice that the lease of a candidate is lost, and show another candidate; the draft is kept."""
        self._report_unstored(why)
        self._take_away(laid)

    def _report_unstored(self, why: DeclineReason) -> None:
        kept = "" if why in _STAYS else " Your text is kept as a draft."
        self.notice = f"The decision was not stored: {why}.{kept}"

    def _take_away(self, laid: LeasedCandidate) -> None:
        if laid is self.now:
            self.now = None
            self._show_next()
        else:
            self.ahead = None

    def _decide(self, message: PageMessage) -> None:
        self.notice = ""
        laid = self._candidate_of(message)
        if laid is None:
            self._answer_late_decision(message)
            return
        candidate, decision = laid.candidate, Decision(message.kind)
        audit = audit_view(candidate, message.texts)["findings"] if decision is Decision.ACCEPT else ()
        findings = tuple(map(dict, audit[:MOST_FINDINGS]))
        reason = RejectReason(message.reason) if message.reason in set(RejectReason) else None
        ruling = Ruling(decision, message.texts, findings, message.override, reason, message.note)
        outcome = self.state.decide(candidate, laid.lease, ruling)
        if outcome.entry is not None:
            entry = outcome.entry
            self._note(entry)
            self.mine = [*(own for own in self.mine if key_of(own) != key_of(entry)), entry]
            self._take_away(laid)
            return
        self._refused.append(message.number)
        declined = outcome.declined or DeclineReason.LEASE_LOST
        if declined in _STAYS:
            laid.texts = message.texts
            self._report_unstored(declined)
        else:
            self._replace_lost(laid, declined)

    def _note(self, entry: DecisionLine) -> None:
        """Write the training record of an accepted candidate, or say why there is none."""
        if entry.decision is Decision.SKIP:
            return
        reason = note_decision(self.queue.candidates, self.state, entry)
        if reason:
            self.notice = f"{entry.candidate_id} is accepted, but its label is not proved, so it is not in {accepted_file(self.state.path)}: {reason}."

    def _answer_late_decision(self, message: PageMessage) -> None:
        """Handle a decision on a candidate without a lease: it was stored before a restart, or it is too late."""
        self._read_mine()
        decision = next((entry for entry in self.mine if key_of(entry) == (*message.key, self.reviewer)), None)
        if (
            decision is not None
            and decision.session in {self.session, self._following}
            and (decision.decision, decision.texts, decision.reason or "", decision.override, decision.note)
            == (message.kind, message.texts, message.reason, message.override, message.note)
        ):
            return
        self._refused.append(message.number)
        self.state.save_draft(self._lease(message), message.texts)
        self._report_unstored(DeclineReason.LEASE_LOST if decision is None else DeclineReason.ALREADY_DECIDED)

    def _undo(self, message: PageMessage) -> None:
        """Undo the last decision, if it is still the decision that the page showed."""
        self.notice = ""
        self._read_mine()
        last = self.mine[-1] if self.mine else None
        if last is None or (last.candidate_id, last.version) != message.key:
            if self.now is None or self.now.candidate.key != message.key:
                self.notice = "Nothing was undone: you have decided another candidate since."
            return
        outcome = self.state.undo(self.reviewer, self.session)
        if outcome.entry is None:
            self.notice = f"Nothing was undone: {outcome.declined}."
            return
        self._note(outcome.entry)
        self._read_mine()
        self._draw_again()
        if outcome.lease is None:
            self.notice = f"Your decision on {message.candidate} was undone; another reviewer holds that candidate now."
