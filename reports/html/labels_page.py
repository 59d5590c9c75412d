"""The page `labels.html`: the findings of the audit of labelled solutions, by file and cause, and the records in doubt."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from harness.json_form import json_form
from harness.records.label import DiagnosedSolution, FlaggedRecord, FlaggedSolution
from harness.stages import LABEL
from reports.html.page import Page, Row, divided, dump_compact, numbered_lines, run_facts, write_parts
from reports.views.artefacts import SealedStage, open_stage
from reports.views.phrases import STATUSES
from reports.views.stage_sections import label_sections

MOST_LISTED = 20_000
"""Records in one file, so that a browser opens it in about a second."""


def write_labels(run: Path) -> Path:
    """Write `run/report/labels.html`, one self-contained page, and return its path.

    The page counts all labels, and lists those in doubt: refuted, not decided, or with a finding. Of more than MOST_LISTED the others
    are in `labels-2.html` and so on, which the page links. Errors as of `open_stage`.
    """
    return write_parts(run, _pages(open_stage(run, LABEL)))


def _pages(stage: SealedStage) -> Iterator[Page]:
    parts = divided("labels.html", sum(1 for _ in stage.forms("flagged.jsonl")), MOST_LISTED)
    flagged, sections = stage.flagged(), label_sections(stage)
    for part in parts:
        listed = list(islice(flagged, MOST_LISTED))
        yield Page(
            name=part.name,
            template="list.html",
            search="Search record, problem or text",
            index={**run_facts(stage), "statuses": STATUSES, "labels": list(map(_record_row, listed))},
            items=(dump_compact(_details(record)) for record in listed),
            scripts=("labels.js",),
            styles=("verifier.css",),
            values={"drawn": sections},
            parts=parts,
        )


def _record_row(record: FlaggedRecord) -> Row:
    label = record.label if isinstance(record, FlaggedSolution) else None
    first = record.findings[0] if record.findings else None
    stated = ("", "", "") if label is None else (label.said, label.error_type, label.line)
    if isinstance(record, DiagnosedSolution) and first is not None:
        stated = ("", first.cause, first.line)
    found = f"{first.line}: {first.found}; expected {first.expected}" if first else record.reason or ""
    return [
        record.left,
        record.problem_id,
        record.file,
        STATUSES.index(record.status.name),
        # The kinds of the objections to it, or of the reason why it was not decided.
        sorted({finding.cause for finding in record.findings}) or [(record.reason or "not decided").partition(":")[0]],
        *stated,
        found,
    ]


def _details(record: FlaggedRecord) -> dict[str, Any]:
    lines = list[Row]()
    if isinstance(record, FlaggedSolution):
        lines = numbered_lines(record.lines, record.answer, record.before)
    return {**json_form(record), "lines": lines}
