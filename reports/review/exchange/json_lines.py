"""Export of a complete review as JSON lines, and its import on another machine.

Each line is one entry of the log, in order; then follows one line for each draft. Nothing is left out, so an imported state equals the exported one.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.store.run_folder import dump, write_lines
from oracles.certificates.record_fields import StrictRecord
from reports.review.candidates.candidates import CandidateTexts
from reports.review.exchange.judgement_merge import MergeResult, OfferedRecord, Refusal, RefusalReason, merge
from reports.review.state.decisions import Decision, LogEntry, RejectReason, ReviewDraft, Ruling
from reports.review.state.review_state import LONGEST_NAME, LONGEST_TEXT, MOST_FINDINGS, ReviewState, check_texts

AHEAD = timedelta(days=1)
"""The largest difference between the clocks of two machines."""
LONGEST_FINDINGS = 200_000

_Id = Annotated[str, Field(min_length=1, max_length=500)]
_Person = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")]
_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
_Seconds = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
_Uid = Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{1,64}$")]


class _Texts(StrictRecord):
    lines: list[_Text]
    explanation: _Text

    def read(self) -> CandidateTexts:
        return CandidateTexts(tuple(self.lines), self.explanation)


class _Decision(StrictRecord):
    kind: Literal["decision"]
    uid: _Uid
    candidate_id: _Id
    version: _Id
    reviewer: _Person
    session: _Text
    decision: Annotated[Decision, Field(strict=False)]
    undoes: _Uid | None
    texts: _Texts
    original: _Texts
    findings: Annotated[list[dict[str, JsonValue]], Field(max_length=MOST_FINDINGS)]
    override: _Text
    reason: Annotated[RejectReason | None, Field(strict=False)]
    note: _Text
    seconds: _Seconds
    at: _Text


class _Draft(StrictRecord):
    kind: Literal["draft"]
    candidate_id: _Id
    version: _Id
    reviewer: _Person
    texts: _Texts
    seconds: _Seconds
    at: _Text


_LINE: TypeAdapter[_Decision | _Draft] = TypeAdapter(Annotated[_Decision | _Draft, Field(discriminator="kind")])


def export_plain(state: ReviewState, path: Path) -> int:
    """Write the log and the drafts to a file; return the number of lines.

    Raises:
        HarnessError: the file cannot be written.
    """
    records = [*map(entry_record, state.entries()), *map(_draft_record, state.drafts())]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_lines(path, (f"{dump(record)}\n" for record in records))
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written ({error}); give another path with --out") from None
    return len(records)


def import_plain(state: ReviewState, path: Path) -> MergeResult:
    """Add the records of a file that `export_plain` wrote; known records are not added again.

    Raises:
        HarnessError: the file cannot be read, or the state cannot be written.
    """
    return merge(state, _offered(path, state.clock()))


def entry_record(entry: LogEntry) -> dict[str, Any]:
    """Return the JSON form of a line of the log."""
    ruling = entry.ruling
    return {
        "kind": "decision",
        "uid": entry.uid,
        "candidate_id": entry.candidate_id,
        "version": entry.version,
        "reviewer": entry.reviewer,
        "session": entry.session,
        "decision": str(ruling.decision),
        "undoes": entry.undoes,
        "texts": ruling.texts.record(),
        "original": entry.original.record(),
        "findings": [dict(finding) for finding in ruling.findings],
        "override": ruling.override,
        "reason": None if ruling.reason is None else str(ruling.reason),
        "note": ruling.note,
        "seconds": entry.seconds,
        "at": entry.at,
    }


def _draft_record(draft: ReviewDraft) -> dict[str, Any]:
    return {
        "kind": "draft",
        "candidate_id": draft.candidate_id,
        "version": draft.version,
        "reviewer": draft.reviewer,
        "texts": draft.texts.record(),
        "seconds": draft.seconds,
        "at": draft.at,
    }


def _offered(path: Path, now: float) -> Iterator[OfferedRecord | Refusal]:
    latest = datetime.fromtimestamp(now, UTC) + AHEAD
    for number, record in read_records(path):
        where = f"{path.name}:{number}"
        if isinstance(record, Exception):
            yield Refusal(RefusalReason.NO_JSON, where, str(record)[:100])
            continue
        try:
            read = _LINE.validate_python(record)
            at = _utc(read.at)
            check_texts(read.texts.read())
            if isinstance(read, _Decision):
                check_texts(read.original.read())
                _check_findings(read.findings)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            yield Refusal(RefusalReason.MALFORMED, where, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
        except (ValueError, OverflowError, RecursionError, HarnessError) as error:
            yield Refusal(RefusalReason.MALFORMED, where, str(error)[:200])
        else:
            if at > latest:
                yield Refusal(RefusalReason.FUTURE, where, read.at)
            else:
                yield OfferedRecord(where, _read(read, at.isoformat(timespec="microseconds")))


def _utc(text: str) -> datetime:
    """Return the time in a text; raises ValueError if it is not a time with a zone."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"a time without a zone: {text[:50]!r}")
    return at.astimezone(UTC)


def _check_findings(findings: list[dict[str, Any]]) -> None:
    if len(dump(findings)) > LONGEST_FINDINGS:
        raise HarnessError(f"findings of more than {LONGEST_FINDINGS:,} characters")


def _read(read: _Decision | _Draft, at: str) -> LogEntry | ReviewDraft:
    if isinstance(read, _Draft):
        return ReviewDraft(read.candidate_id, read.version, read.reviewer, read.texts.read(), read.seconds, at)
    ruling = Ruling(
        decision=read.decision,
        texts=read.texts.read(),
        findings=tuple(read.findings),
        override=read.override,
        reason=read.reason,
        note=read.note,
    )
    return LogEntry(
        uid=read.uid,
        candidate_id=read.candidate_id,
        version=read.version,
        reviewer=read.reviewer,
        session=read.session,
        ruling=ruling,
        original=read.original.read(),
        seconds=read.seconds,
        at=at,
        undoes=read.undoes,
    )
