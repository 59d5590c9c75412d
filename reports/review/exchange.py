"""Export of a review as JSON lines, and the import of such lines from another machine or another annotation program.

A line is an entry of the log, a draft, a labelled example, or a candidate to judge elsewhere, which an import passes over.
Lines with a `uid` are copies of entries and are added as they are. A line without one is what a person said in another program: it
meets the same rules as on the Review page, and the import adds what the line lacks: the audit's findings, an identifier, the time.
"""

import enum
import hashlib
import itertools
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError, told_of_file
from harness.json_form import MalformedRecordError, json_form, read_record
from harness.records.review import MOST_FINDINGS, CandidateTexts, Decision, DecisionLine, DraftLine, ExampleLine
from harness.store.run_folder import dump, write_lines
from harness.text.characters import one_line
from reports.review.candidate_view import audit_view
from reports.review.candidates.candidates import Candidate, Candidates
from reports.review.candidates.logical_change import change_of
from reports.review.candidates.record_version import storable
from reports.review.state.decisions import DeclineReason, missing_answer
from reports.review.state.examples import (
    append_example,
    check_example,
    example_entries,
    example_of_text,
    finding_forms,
    refuting,
    undoable_example,
)
from reports.review.state.log_rows import append_entry, decision_in_force, keep_draft, keep_texts, texts_json
from reports.review.state.review_state import ReviewState, check_note, check_texts, iso_time

ORIGIN = "import"
"""The session of decisions that were made in another program, and the engine of its examples."""
BATCH = 500
MOST_SHOWN = 5
UID_DIGITS = 32
LONGEST_FINDINGS = 200_000
AHEAD = timedelta(days=1)
"""The largest difference between the clocks of two machines."""

Line = DecisionLine | DraftLine | ExampleLine
_RECORDS: dict[str, type[Line]] = {"decision": DecisionLine, "draft": DraftLine, "example": ExampleLine}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "decision": {"session": ORIGIN, "override": "", "reason": None, "note": "", "seconds": 0.0},
    "draft": {"seconds": 0.0},
    "example": {"override": "", "judged": {"engine": ORIGIN, "verdict": None}},
}
"""The fields that a line of another program may leave out."""


class RefusalReason(enum.StrEnum):
    """Why an imported record is refused."""

    NO_JSON = "no JSON"
    MALFORMED = "not of this format"
    UNKNOWN_CANDIDATE = "no such candidate"
    OTHER_VERSION = "another version of the candidate"
    OVERRIDE_MISSING = "accepted against the audit without a written reason"
    REASON_MISSING = "rejected without a reason"
    UNKNOWN_UNDO = "undoes an unknown decision"
    FUTURE = "dated in the future"
    CONFLICT = "this review holds another decision of the reviewer"


_LACKING: dict[DeclineReason | None, RefusalReason] = {
    DeclineReason.OVERRIDE_MISSING: RefusalReason.OVERRIDE_MISSING,
    DeclineReason.REASON_MISSING: RefusalReason.REASON_MISSING,
}


class RefusedLineError(Exception):
    """A line of a file is refused."""

    def __init__(self, why: RefusalReason, detail: str = "") -> None:
        super().__init__(f"{why}{f' ({detail})' if detail else ''}")
        self.why = why


@dataclass(slots=True)
class ImportResult:
    """The result of an import: counts of added decisions, drafts and examples, of known ones, and of refusals."""

    added: int = 0
    drafts: int = 0
    examples: int = 0
    present: int = 0
    refused: Counter[RefusalReason] = field(default_factory=Counter)
    messages: list[str] = field(default_factory=list)

    def refuse(self, refusal: RefusedLineError, where: str) -> None:
        """Count a refused line; the first `MOST_SHOWN` of each reason get a message."""
        self.refused[refusal.why] += 1
        if self.refused[refusal.why] <= MOST_SHOWN:
            self.messages.append(one_line(f"{where}: {refusal}", limit=300))


def export_lines(state: ReviewState, path: Path, candidates: Candidates | None = None, *, undecided: int = 0) -> int:
    """Write the log, the drafts, the examples and the `undecided` most plausible candidates of each stratum; return their number.

    Raises:
        HarnessError: the file cannot be written, or a file of candidates was changed.
    """
    kept: list[Line] = [*state.entries(), *state.drafts(), *example_entries(state)]
    chosen = candidates.shortlists(undecided) if candidates is not None and undecided else []
    forms = [json_form(line) for line in kept]
    further = (_candidate_form(candidates.get(name)) for name in chosen) if candidates is not None else iter(())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_lines(path, (f"{dump(form)}\n" for form in itertools.chain(forms, further)))
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written ({told_of_file(error)}); give another path with --out") from None
    return len(kept) + len(chosen)


def import_lines(
    state: ReviewState, path: Path, candidates: Callable[[], Candidates | None] = lambda: None
) -> ImportResult:
    """Add the lines of a file in order; known lines, and drafts that are older than the stored one, are skipped.

    `candidates` is called once a decision of another program is met.

    Raises:
        HarnessError: the file cannot be read, or the state cannot be written; earlier lines stay, and the file can be imported again.
    """
    result = ImportResult()
    lines = ((f"{path.name}:{number}", record) for number, record in read_records(path))
    while batch := list(itertools.islice(lines, BATCH)):
        with state.changing() as sql:
            for where, form in batch:
                try:
                    _add(sql, form, state.clock(), candidates, result)
                except RefusedLineError as refusal:
                    result.refuse(refusal, where)
    return result


def _candidate_form(candidate: Candidate) -> dict[str, Any]:
    """Return what a person who judges a candidate in another program reads, and what the decision must name."""
    names = ("candidate_id", "version", "problem_id", "tier", "position", "error_type", "operator", "plausibility")
    record = candidate.record
    return {
        "kind": "candidate",
        **{name: getattr(candidate, name) for name in names},
        "question": record["question"],
        "solution": record["solution"],
        "change": change_of(record).sentence,
        "texts": json_form(CandidateTexts.of_record(record)),
    }


def _add(
    sql: sqlite3.Connection, form: Any, now: float, candidates: Callable[[], Candidates | None], result: ImportResult
) -> None:
    """Add one line within a transaction; raises RefusedLineError."""
    if isinstance(form, Exception):
        raise RefusedLineError(RefusalReason.NO_JSON, str(form)[:100])
    if isinstance(form, dict) and form.get("kind") == "candidate":
        return
    copied = isinstance(form, dict) and "uid" in form
    try:
        line = _line(form) if copied else _foreign_line(form, now, candidates)
        at = _utc(line.at)
        _check(line)
    except MalformedRecordError as error:
        raise RefusedLineError(RefusalReason.MALFORMED, f"{error.field}: {error.expected}") from None
    except (ValueError, OverflowError, RecursionError, HarnessError) as error:
        raise RefusedLineError(RefusalReason.MALFORMED, str(error)[:200]) from None
    if at > datetime.fromtimestamp(now, UTC) + AHEAD:
        raise RefusedLineError(RefusalReason.FUTURE, line.at)
    line = replace(line, at=at.isoformat(timespec="microseconds"))
    if isinstance(line, DraftLine):
        count, is_new = "drafts", _add_draft(sql, line)
    elif isinstance(line, ExampleLine):
        count, is_new = "examples", _add_example(sql, line, copied=copied)
    else:
        count, is_new = "added", _add_decision(sql, line, copied=copied)
    name = count if is_new else "present"
    setattr(result, name, getattr(result, name) + 1)


def _line(form: Any) -> Line:
    kind = form.get("kind") if isinstance(form, dict) else None
    if not isinstance(kind, str) or kind not in _RECORDS:
        raise MalformedRecordError("kind", "expected 'decision', 'draft', 'example' or 'candidate'")
    return read_record(_RECORDS[kind], form)


def _foreign_line(form: Any, now: float, candidates: Callable[[], Candidates | None]) -> Line:
    """Return a line of another program with the fields that it lacks; equal lines get equal identifiers."""
    kind = str(form.get("kind")) if isinstance(form, dict) else ""
    at = {"at": iso_time(now)}
    if kind not in _DEFAULTS or kind == "draft":
        return _line({**at, **_DEFAULTS[kind], **form} if kind in _DEFAULTS else form)
    said = {**at, **_DEFAULTS[kind], **form, "uid": "-", "undoes": None, "findings": []}
    if kind == "example":
        example = read_record(ExampleLine, said)
        findings = finding_forms(refuting(example.record()))
        if findings and not example.override.strip():
            raise RefusedLineError(RefusalReason.OVERRIDE_MISSING, str(findings[0]["message"]))
        parts = [example.reviewer, example.question, example.solution, json_form(example.label), example.override]
        return replace(
            example, uid=_uid(parts), findings=tuple(findings), override=example.override if findings else ""
        )
    texts = said.get("texts")
    entry = read_record(DecisionLine, {"original": texts, **said})
    check_texts(entry.texts)
    known = candidates()
    candidate = None if known is None else known.find(entry.candidate_id)
    if candidate is None or candidate.version != entry.version:
        why = RefusalReason.UNKNOWN_CANDIDATE if candidate is None else RefusalReason.OTHER_VERSION
        raise RefusedLineError(why, entry.candidate_id)
    found = audit_view(candidate, entry.texts)["findings"] if entry.decision is Decision.ACCEPT else []
    return replace(
        entry,
        uid=_uid([entry.candidate_id, entry.version, entry.reviewer, _content(entry)]),
        original=CandidateTexts.of_record(candidate.record),
        findings=tuple(map(dict, found[:MOST_FINDINGS])),
    )


def _uid(parts: list[Any]) -> str:
    return hashlib.sha256(dump(parts).encode("utf-8", "backslashreplace")).hexdigest()[:UID_DIGITS]


def _utc(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"a time without a zone: {text[:50]!r}")
    return at.astimezone(UTC)


def _check(line: Line) -> None:
    """Check the size of a line.

    Raises:
        HarnessError: a text or the findings are too long.
    """
    if isinstance(line, ExampleLine):
        check_example(line)
    else:
        check_texts(line.texts)
    if isinstance(line, DecisionLine):
        check_texts(line.original)
        check_note(line.override, line.note)
    if not isinstance(line, DraftLine) and len(dump(line.findings)) > LONGEST_FINDINGS:
        raise HarnessError(f"findings of more than {LONGEST_FINDINGS:,} characters")


def _content(entry: DecisionLine) -> str:
    """Return a reviewer's decision as text, without the findings of the audit."""
    return storable(dump([entry.decision, json_form(entry.texts), entry.override, entry.reason, entry.note]))


def _add_draft(sql: sqlite3.Connection, draft: DraftLine) -> bool:
    """Add a draft; return whether it is newer than the stored one."""
    row = sql.execute(
        "SELECT texts, at FROM drafts WHERE candidate_id = ? AND version = ? AND reviewer = ?",
        (draft.candidate_id, draft.version, draft.reviewer),
    ).fetchone()
    if row and row["texts"] is not None and (row["at"] >= draft.at or row["texts"] == texts_json(draft.texts)):
        return False
    keep_draft(sql, draft)
    return True


def _add_example(sql: sqlite3.Connection, example: ExampleLine, *, copied: bool) -> bool:
    """Add an example or a withdrawal; return whether it is new."""
    here = None if copied else example_of_text(sql, example)
    if here is not None and (here.label, here.override) == (example.label, example.override):
        return False
    if sql.execute("SELECT 1 FROM examples WHERE uid = ?", (example.uid,)).fetchone():
        return False
    if example.undoes is not None and not undoable_example(sql, example):
        raise RefusedLineError(RefusalReason.UNKNOWN_UNDO, f"an example of {example.reviewer}")
    if here is not None:
        raise RefusedLineError(RefusalReason.CONFLICT, f"an example of {example.reviewer}")
    append_example(sql, example)
    return True


def _add_decision(sql: sqlite3.Connection, entry: DecisionLine, *, copied: bool) -> bool:
    """Add a decision or an undo; return whether it is new."""
    here = None if copied else decision_in_force(sql, entry.candidate_id, entry.version, entry.reviewer)
    if here is not None and _content(here) == _content(entry):
        return False
    if sql.execute("SELECT 1 FROM log WHERE uid = ?", (entry.uid,)).fetchone():
        return False
    why = _LACKING.get(missing_answer(entry)) if entry.undoes is None else None
    if here is not None and here.decision is not Decision.SKIP:
        why = RefusalReason.CONFLICT
    elif entry.undoes is not None and not _undoable(sql, entry):
        why = RefusalReason.UNKNOWN_UNDO
    if why is not None:
        raise RefusedLineError(why, f"{entry.reviewer} on {entry.candidate_id}")
    append_entry(sql, entry)
    if not copied and entry.decision is Decision.SKIP:
        keep_texts(sql, entry)  # as for a skip on the Review page, the text is kept as a draft
    return True


def _undoable(sql: sqlite3.Connection, entry: DecisionLine) -> bool:
    """Tell whether the decision that an entry undoes is in force, and the same person's on the same candidate."""
    key = (entry.undoes, entry.candidate_id, entry.version, entry.reviewer)
    query = "SELECT 1 FROM in_force WHERE uid = ? AND candidate_id = ? AND version = ? AND reviewer = ?"
    return sql.execute(query, key).fetchone() is not None
