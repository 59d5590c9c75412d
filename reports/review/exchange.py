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
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, json_form, read_record
from harness.records.review import MOST_FINDINGS, CandidateTexts, Decision, DecisionLine, DraftLine, ExampleLine
from harness.solution.labels import TypeNames
from harness.store.run_folder import dump, output_file, write_lines
from harness.text.characters import one_line, storable
from reports.review import examples
from reports.review.candidate_view import audit_view
from reports.review.candidates import Candidate, Candidates
from reports.review.logical_change import change_of
from reports.review.review_state import (
    ReviewState,
    append_entry,
    check_texts,
    decision_in_force,
    draft_row,
    iso_time,
    keep_draft,
    key_of,
    missing_answer,
)

ORIGIN = "import"
"""The session of decisions that were made in another program, and the engine of its examples."""
BATCH = 500
MOST_SHOWN = 5
UID_DIGITS = 32
LONGEST_FINDINGS = 200_000
AHEAD = timedelta(days=1)
"""The largest difference between the clocks of two machines."""

Line = DecisionLine | DraftLine | ExampleLine
Find = Callable[[], Candidates | None]
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

    def count(self, line: Line, *, is_new: bool) -> None:
        """Count a line that is added or was there already."""
        name = {DraftLine: "drafts", ExampleLine: "examples"}.get(type(line), "added") if is_new else "present"
        setattr(self, name, getattr(self, name) + 1)

    def refuse(self, refusal: RefusedLineError, where: str) -> None:
        """Count a refused line; the first `MOST_SHOWN` of each reason get a message."""
        self.refused[refusal.why] += 1
        if self.refused[refusal.why] <= MOST_SHOWN:
            self.messages.append(one_line(f"{where}: {refusal}", limit=300))


def export_lines(
    state: ReviewState,
    path: Path,
    candidates: Candidates | None = None,
    *,
    undecided: int = 0,
    names: TypeNames = TypeNames.OWN,
) -> int:
    """Write the log, the drafts, the examples and the `undecided` most plausible candidates of each stratum; return their number.

    Raises a HarnessError if the file cannot be written, or a file of candidates was changed.
    """
    kept: list[Line] = [*state.entries(), *state.drafts(), *examples.example_entries(state)]
    chosen = [] if candidates is None or not undecided else candidates.shortlists(undecided)
    further = () if candidates is None else (_candidate_form(candidates.get(name)) for name in chosen)
    forms = itertools.chain(map(json_form, kept), further)
    write_lines(output_file(path), (f"{dump(names.renamed(form))}\n" for form in forms))
    return len(kept) + len(chosen)


def import_lines(state: ReviewState, path: Path, candidates: Find = lambda: None) -> ImportResult:
    """Add the lines of a file in order; known lines, and drafts that are older than the stored one, are skipped.

    `candidates` is called once a decision of another program is met.
    Raises a HarnessError if the file cannot be read, or the state cannot be written; earlier lines stay, and the file can be imported again.
    """
    result = ImportResult()
    lines = ((f"{path.name}:{number}", record) for number, record in read_records(path))
    while batch := list(itertools.islice(lines, BATCH)):
        with state.changing() as sql:
            for where, form in batch:
                try:
                    if not isinstance(form, dict) or form.get("kind") != "candidate":
                        line = _checked_line(form, state.clock(), candidates)
                        result.count(line, is_new=_add_line(sql, line, copied="uid" in form))
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


def _checked_line(form: Any, now: float, candidates: Find) -> Line:
    """Return a line of a file, of the right size and with its time in UTC; a line of another program is completed."""
    if isinstance(form, Exception):
        raise RefusedLineError(RefusalReason.NO_JSON, str(form)[:100])
    kind = form.get("kind") if isinstance(form, dict) else None
    if not isinstance(kind, str) or kind not in _RECORDS:
        raise RefusedLineError(RefusalReason.MALFORMED, "kind: expected 'decision', 'draft', 'example' or 'candidate'")
    try:
        line = read_record(_RECORDS[kind], form) if "uid" in form else _foreign_line(kind, form, now, candidates)
        at = _utc(line.at)
        _check_size(line)
    except MalformedRecordError as error:
        raise RefusedLineError(RefusalReason.MALFORMED, f"{error.field}: {error.expected}") from None
    except (ValueError, OverflowError, RecursionError, HarnessError) as error:
        raise RefusedLineError(RefusalReason.MALFORMED, str(error)[:200]) from None
    if at > datetime.fromtimestamp(now, UTC) + AHEAD:
        raise RefusedLineError(RefusalReason.FUTURE, line.at)
    return replace(line, at=at.isoformat(timespec="microseconds"))


def _utc(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"a time without a zone: {text[:50]!r}")
    return at.astimezone(UTC)


def _foreign_line(kind: str, form: dict[str, Any], now: float, candidates: Find) -> Line:
    """Return a line of another program with the fields that it lacks; equal lines get equal identifiers."""
    said = {"at": iso_time(now), **_DEFAULTS[kind], **form}
    if kind == "draft":
        return read_record(DraftLine, said)
    said |= {"uid": "-", "undoes": None, "findings": []}
    if kind == "example":
        example = read_record(ExampleLine, said)
        findings = examples.finding_forms(examples.refuting(example.record()))
        if findings and not example.override.strip():
            raise RefusedLineError(RefusalReason.OVERRIDE_MISSING, str(findings[0]["message"]))
        uid = _uid(example.reviewer, example.question, example.solution, json_form(example.label), example.override)
        override = example.override if findings else ""
        return replace(example, uid=uid, findings=tuple(findings), override=override)
    entry = read_record(DecisionLine, {"original": said.get("texts"), **said})
    check_texts(entry.texts)
    known = candidates()
    candidate = None if known is None else known.find(entry.candidate_id)
    if candidate is None or candidate.version != entry.version:
        why = RefusalReason.UNKNOWN_CANDIDATE if candidate is None else RefusalReason.OTHER_VERSION
        raise RefusedLineError(why, entry.candidate_id)
    found = audit_view(candidate, entry.texts)["findings"] if entry.decision is Decision.ACCEPT else []
    return replace(
        entry,
        uid=_uid(entry.candidate_id, entry.version, entry.reviewer, _content(entry)),
        original=CandidateTexts.of_record(candidate.record),
        findings=tuple(map(dict, found[:MOST_FINDINGS])),
    )


def _uid(*parts: Any) -> str:
    return hashlib.sha256(dump(list(parts)).encode("utf-8", "backslashreplace")).hexdigest()[:UID_DIGITS]


def _check_size(line: Line) -> None:
    """Raise a HarnessError where a text or the findings are too long."""
    if isinstance(line, ExampleLine):
        examples.check_example(line)
    elif isinstance(line, DecisionLine):
        check_texts(line.texts, line.override, line.note)
        check_texts(line.original)
    else:
        check_texts(line.texts)
    if not isinstance(line, DraftLine) and len(dump(line.findings)) > LONGEST_FINDINGS:
        raise HarnessError(f"findings of more than {LONGEST_FINDINGS:,} characters")


def _content(line: DecisionLine | ExampleLine) -> str:
    """Return what a person decided as text, without the findings of the audit."""
    if isinstance(line, ExampleLine):
        return storable(dump([json_form(line.label), line.override]))
    return storable(dump([line.decision, json_form(line.texts), line.override, line.reason, line.note]))


def _add_line(sql: sqlite3.Connection, line: Line, *, copied: bool) -> bool:
    """Add a line within a transaction; return whether it is new, a draft whether it is newer than the stored one."""
    if isinstance(line, DraftLine):
        row, texts = draft_row(sql, key_of(line)), storable(dump(json_form(line.texts)))
        if row is not None and (row["at"] >= line.at or row["texts"] == texts):
            return False
        keep_draft(sql, key_of(line), line.texts, line.at, line.seconds)
        return True
    here: DecisionLine | ExampleLine | None
    if isinstance(line, ExampleLine):
        table, in_force, whose, lacking = "examples", f"({examples.IN_FORCE})", f"an example of {line.reviewer}", None
        owner = {"reviewer": storable(line.reviewer)}
        here = None if copied else examples.last_examples(sql).get(examples.pasted_text(line))
    else:
        table, in_force, whose = "log", "in_force", f"{line.reviewer} on {line.candidate_id}"
        owner = dict(zip(("candidate_id", "version", "reviewer"), key_of(line), strict=True))
        missing = missing_answer(line) if line.undoes is None else None
        lacking = None if missing is None else RefusalReason[missing.name]
        here = None if copied else decision_in_force(sql, key_of(line))
    if here is not None and _content(here) == _content(line):
        return False
    if sql.execute(f"SELECT 1 FROM {table} WHERE uid = ?", (line.uid,)).fetchone():  # noqa: S608  # a literal
        return False
    if here is not None and not (isinstance(here, DecisionLine) and here.decision is Decision.SKIP):
        raise RefusedLineError(RefusalReason.CONFLICT, whose)
    if line.undoes is not None:
        own = "".join(f" AND {name} = ?" for name in owner)
        undone = sql.execute(f"SELECT 1 FROM {in_force} WHERE uid = ?{own}", (line.undoes, *owner.values()))  # noqa: S608  # literals
        lacking = None if undone.fetchone() else RefusalReason.UNKNOWN_UNDO
    if lacking is not None:
        raise RefusedLineError(lacking, whose)
    if isinstance(line, ExampleLine):
        examples.append_example(sql, line)
        return True
    append_entry(sql, line)
    if not copied and line.decision is Decision.SKIP:
        # As for a skip on the Review page, the text is kept as a draft.
        keep_draft(sql, key_of(line), line.texts, line.at, line.seconds, first=True)
    return True
