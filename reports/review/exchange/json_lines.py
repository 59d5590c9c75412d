"""Export of a complete review as JSON lines, and its import on another machine.

Each line is one entry of the log, in order; then follows one line for each draft, and one for each labelled example. Nothing is left out, so an imported state equals the exported one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError, told_of_file
from harness.json_form import MalformedRecordError, json_form, read_record
from harness.records.review import DecisionLine, DraftLine, ExampleLine
from harness.store.run_folder import dump, write_lines
from reports.review.exchange.judgement_merge import (
    MergeResult,
    OfferedRecord,
    Refusal,
    RefusalReason,
    latest_time,
    merge,
    utc,
)
from reports.review.state.examples import check_example, example_entries
from reports.review.state.review_state import ReviewState, check_texts

LONGEST_FINDINGS = 200_000


def export_plain(state: ReviewState, path: Path) -> int:
    """Write the log, the drafts and the examples to a file; return the number of lines.

    Raises:
        HarnessError: the file cannot be written.
    """
    lines: list[DecisionLine | DraftLine | ExampleLine] = [*state.entries(), *state.drafts(), *example_entries(state)]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_lines(path, (f"{dump(json_form(line))}\n" for line in lines))
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written ({told_of_file(error)}); give another path with --out") from None
    return len(lines)


def import_plain(state: ReviewState, path: Path) -> MergeResult:
    """Add the records of a file that `export_plain` wrote; known records are not added again.

    Raises:
        HarnessError: the file cannot be read, or the state cannot be written.
    """
    return merge(state, _offered(path, state.clock()))


def _line(form: Any) -> DecisionLine | DraftLine | ExampleLine:
    match form.get("kind") if isinstance(form, dict) else None:
        case "decision":
            return read_record(DecisionLine, form)
        case "draft":
            return read_record(DraftLine, form)
        case "example":
            return read_record(ExampleLine, form)
        case _:
            raise MalformedRecordError("kind", "expected 'decision', 'draft' or 'example'")


def _offered(path: Path, now: float) -> Iterator[OfferedRecord | Refusal]:
    latest = latest_time(now)
    for number, record in read_records(path):
        where = f"{path.name}:{number}"
        if isinstance(record, Exception):
            yield Refusal(RefusalReason.NO_JSON, where, str(record)[:100])
            continue
        try:
            line = _line(record)
            at = utc(line.at)
            if isinstance(line, ExampleLine):
                check_example(line)
            else:
                check_texts(line.texts)
            if isinstance(line, DecisionLine):
                check_texts(line.original)
            if not isinstance(line, DraftLine):
                _check_findings(line.findings)
        except MalformedRecordError as error:
            yield Refusal(RefusalReason.MALFORMED, where, f"{error.field}: {error.expected}")
        except (ValueError, OverflowError, RecursionError, HarnessError) as error:
            yield Refusal(RefusalReason.MALFORMED, where, str(error)[:200])
        else:
            if at > latest:
                yield Refusal(RefusalReason.FUTURE, where, line.at)
            else:
                yield OfferedRecord(where, replace(line, at=at.isoformat(timespec="microseconds")))


def _check_findings(findings: Sequence[Mapping[str, Any]]) -> None:
    if len(dump(findings)) > LONGEST_FINDINGS:
        raise HarnessError(f"findings of more than {LONGEST_FINDINGS:,} characters")
