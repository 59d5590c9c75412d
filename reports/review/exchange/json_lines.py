"""Export of a complete review as JSON lines, and its import on another machine.

Each line is one entry of the log, in order; then follows one line for each draft. Nothing is left out, so an imported state equals the exported one.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, json_form, read_record
from harness.records.review import DecisionLine, DraftLine
from harness.store.run_folder import dump, write_lines
from reports.review.exchange.judgement_merge import MergeResult, OfferedRecord, Refusal, RefusalReason, merge
from reports.review.state.decisions import LogEntry, ReviewDraft, Ruling
from reports.review.state.review_state import ReviewState, check_texts

AHEAD = timedelta(days=1)
"""The largest difference between the clocks of two machines."""
LONGEST_FINDINGS = 200_000


def export_plain(state: ReviewState, path: Path) -> int:
    """Write the log and the drafts to a file; return the number of lines.

    Raises:
        HarnessError: the file cannot be written.
    """
    lines: list[DecisionLine | DraftLine] = [*map(entry_record, state.entries()), *map(_draft_record, state.drafts())]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_lines(path, (f"{dump(json_form(line))}\n" for line in lines))
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written ({error}); give another path with --out") from None
    return len(lines)


def import_plain(state: ReviewState, path: Path) -> MergeResult:
    """Add the records of a file that `export_plain` wrote; known records are not added again.

    Raises:
        HarnessError: the file cannot be read, or the state cannot be written.
    """
    return merge(state, _offered(path, state.clock()))


def entry_record(entry: LogEntry) -> DecisionLine:
    """Return the record of an entry of the log."""
    ruling = entry.ruling
    return DecisionLine(
        uid=entry.uid,
        candidate_id=entry.candidate_id,
        version=entry.version,
        reviewer=entry.reviewer,
        session=entry.session,
        decision=ruling.decision,
        undoes=entry.undoes,
        texts=ruling.texts,
        original=entry.original,
        findings=tuple(dict(finding) for finding in ruling.findings),
        override=ruling.override,
        reason=ruling.reason,
        note=ruling.note,
        seconds=entry.seconds,
        at=entry.at,
    )


def _draft_record(draft: ReviewDraft) -> DraftLine:
    return DraftLine(
        candidate_id=draft.candidate_id,
        version=draft.version,
        reviewer=draft.reviewer,
        texts=draft.texts,
        seconds=draft.seconds,
        at=draft.at,
    )


def _line(form: Any) -> DecisionLine | DraftLine:
    kind = form.get("kind") if isinstance(form, dict) else None
    if kind not in {"decision", "draft"}:
        raise MalformedRecordError("kind", "expected 'decision' or 'draft'")
    return read_record(DecisionLine, form) if kind == "decision" else read_record(DraftLine, form)


def _offered(path: Path, now: float) -> Iterator[OfferedRecord | Refusal]:
    latest = datetime.fromtimestamp(now, UTC) + AHEAD
    for number, record in read_records(path):
        where = f"{path.name}:{number}"
        if isinstance(record, Exception):
            yield Refusal(RefusalReason.NO_JSON, where, str(record)[:100])
            continue
        try:
            read = _line(record)
            at = _utc(read.at)
            check_texts(read.texts)
            if isinstance(read, DecisionLine):
                check_texts(read.original)
                _check_findings(read.findings)
        except MalformedRecordError as error:
            yield Refusal(RefusalReason.MALFORMED, where, f"{error.field}: {error.expected}")
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


def _check_findings(findings: Sequence[Mapping[str, Any]]) -> None:
    if len(dump(findings)) > LONGEST_FINDINGS:
        raise HarnessError(f"findings of more than {LONGEST_FINDINGS:,} characters")


def _read(read: DecisionLine | DraftLine, at: str) -> LogEntry | ReviewDraft:
    if isinstance(read, DraftLine):
        return ReviewDraft(read.candidate_id, read.version, read.reviewer, read.texts, read.seconds, at)
    ruling = Ruling(
        decision=read.decision,
        texts=read.texts,
        findings=read.findings,
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
        original=read.original,
        seconds=read.seconds,
        at=at,
        undoes=read.undoes,
    )
