"""Export of candidates and decisions to Label Studio tasks, and import from them.

Tasks are in its JSON format, with predictions, annotations and drafts, beside the labeling configuration in XML; checked with
label-studio-sdk 2.1.2; https://labelstud.io/guide/task_format. The import reads its export `JSON`. A skipped task is one whose
annotation was cancelled.
"""

import xml.etree.ElementTree as ET  # only written: no foreign text is parsed as XML
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from harness.records.review import Decision, DecisionLine, DraftLine, RejectReason
from harness.text.characters import printable
from reports.review.candidates.candidates import Candidates
from reports.review.exchange.annotation_answers import (
    EDITED,
    FIELDS,
    StrictRecord,
    answers_of,
    facts_of,
    fields_of,
    judgement_of,
    read_strictly,
)
from reports.review.exchange.example_answers import is_example
from reports.review.exchange.export_selection import (
    ExportedCandidate,
    exported_candidates,
    exported_records,
    write_files,
    write_json_list,
)
from reports.review.exchange.judgement_merge import ImportedJudgement, MergeResult, Refusal, merge_judgements
from reports.review.exchange.label_studio_examples import labels_of_task
from reports.review.exchange.label_studio_forms import (
    CONFIG,
    ORIGIN,
    TASKS,
    Annotation,
    Annotations,
    answers_of_annotation,
    results_of,
    reviewer_of,
    text_area,
)
from reports.review.state.review_state import LONGEST_NAME, LONGEST_TEXT, ReviewState

_CHOSEN = ("decision", "reason")


def export_label_studio(
    state: ReviewState, candidates: Candidates | None, folder: Path, *, undecided: int = 0, title: str = "Review"
) -> int:
    """Write tasks for all candidates with a decision or a draft, and for the first `undecided` of each shortlist.

    Returns:
        The number of tasks.

    Raises:
        HarnessError: the folder cannot be written, or a file of candidates was changed.
    """
    write_files(folder, {CONFIG: labeling_config(title)})
    return write_json_list(folder / TASKS, map(_task, exported_candidates(state, candidates, undecided)))


def import_label_studio(state: ReviewState, candidates: Candidates | None, path: Path) -> MergeResult:
    """Add the decisions, drafts and examples of tasks, given as the folder of an export or as one file.

    Raises:
        HarnessError: as in `merge_judgements`.
    """
    now = state.clock()
    return merge_judgements(
        state,
        candidates,
        (
            judgement
            for where, task in exported_records(path, TASKS)
            for judgement in (
                labels_of_task(task, where, now)
                if isinstance(task, dict) and is_example(task.get("data"))
                else _judgements(task, where)
            )
        ),
        ORIGIN,
    )


def labeling_config(title: str) -> str:
    """Return the labeling configuration: the shown fields, the two texts to edit, and the decision."""
    view = ET.Element("View")
    ET.SubElement(view, "Header", value=printable(title))
    for name, heading in FIELDS.items():
        ET.SubElement(view, "Header", value=heading, size="5")
        if name in EDITED:
            text_area(view, name, value=f"${name}", rows="8", required="true")
        else:
            ET.SubElement(view, "Text", name=name, value=f"${name}")
    decisions = ET.SubElement(view, "Choices", name="decision", toName="question", choice="single", required="true")
    for decision in (Decision.ACCEPT, Decision.REJECT):
        ET.SubElement(decisions, "Choice", value=str(decision))
    shown = {"visibleWhen": "choice-selected", "whenTagName": "decision"}
    reasons = ET.SubElement(
        view,
        "Choices",
        {"name": "reason", "toName": "question", "choice": "single", **shown, "whenChoiceValue": str(Decision.REJECT)},
    )
    for reason in RejectReason:
        ET.SubElement(reasons, "Choice", value=str(reason), hint=reason.words)
    text_area(view, "override", placeholder="Why it is accepted against the audit")
    text_area(view, "note", placeholder="Note")
    ET.indent(view)
    return ET.tostring(view, encoding="unicode") + "\n"


def _task(exported: ExportedCandidate) -> dict[str, Any]:
    candidate, fields = exported.candidate, fields_of(exported)
    suggested = {name: fields[name] for name in EDITED}
    return {
        "data": {"candidate_id": candidate.candidate_id, **facts_of(exported), **fields},
        "predictions": [
            {
                "model_version": candidate.operator,
                "score": candidate.plausibility,
                "result": results_of(suggested, candidate.candidate_id, {}, chosen=_CHOSEN),
            }
        ],
        "annotations": [_annotation(line) for line in exported.judgements if isinstance(line, DecisionLine)],
        "drafts": [_annotation(line) for line in exported.judgements if isinstance(line, DraftLine)],
    }


def _annotation(line: DecisionLine | DraftLine) -> dict[str, Any]:
    answers = answers_of(line)
    is_skip = answers.get("decision") == Decision.SKIP
    if is_skip:
        del answers["decision"]
    return {
        "result": results_of(
            {name: text for name, text in answers.items() if text or name in EDITED},
            f"{line.candidate_id}\n{line.reviewer}",
            {"reviewer": line.reviewer},
            chosen=_CHOSEN,
        ),
        "was_cancelled": is_skip,
        "ground_truth": False,
        "lead_time": line.seconds,
    }


class _Data(StrictRecord):
    candidate_id: Annotated[str, Field(min_length=1, max_length=500)]
    version: Annotated[str, Field(max_length=LONGEST_NAME)]
    flawed_solution: Annotated[str, Field(max_length=LONGEST_TEXT)]
    explanation: Annotated[str, Field(max_length=LONGEST_TEXT)]


class _Task(StrictRecord):
    data: _Data
    annotations: Annotations = Field(default_factory=list)
    drafts: Annotations = Field(default_factory=list)


def _judgements(task: Any, where: str) -> Iterator[ImportedJudgement | Refusal]:
    """Yield the judgements of a task's annotations and drafts."""
    read = read_strictly(_Task, task, where)
    if isinstance(read, Refusal):
        yield read
        return
    for annotation in read.annotations:
        yield _judgement(read.data, annotation, where, draft=False)
    for annotation in read.drafts:
        yield _judgement(read.data, annotation, where, draft=True)


def _judgement(data: _Data, annotation: Annotation, where: str, *, draft: bool) -> ImportedJudgement | Refusal:
    own = {name: getattr(data, name) for name in EDITED}
    answers = {**own, **answers_of_annotation(annotation)}
    return judgement_of(
        answers,
        where,
        candidate_id=data.candidate_id,
        version=data.version,
        reviewer=reviewer_of(annotation),
        decision=None if draft else "skip" if annotation.was_cancelled else answers.get("decision", ""),
        seconds=annotation.lead_time or 0.0,
    )
