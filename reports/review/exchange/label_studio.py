"""Export of candidates and decisions to Label Studio tasks, and import from them.

Tasks are in its JSON format, with predictions, annotations and drafts, beside the labeling configuration in XML; checked with
label-studio-sdk 2.1.2; https://labelstud.io/guide/task_format. The import reads its export `JSON`. A skipped task is one whose
annotation was cancelled.
"""

import hashlib
import xml.etree.ElementTree as ET  # only written: no foreign text is parsed as XML
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, JsonValue

from harness.records.review import Decision, DecisionLine, DraftLine, RejectReason
from harness.text.printable_text import printable
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
from reports.review.exchange.export_selection import (
    ExportedCandidate,
    exported_candidates,
    read_json_list,
    write_files,
    write_json_list,
)
from reports.review.exchange.judgement_merge import ImportedJudgement, MergeResult, Refusal, merge_judgements
from reports.review.state.review_state import LONGEST_NAME, LONGEST_TEXT, ReviewState

ORIGIN = "label-studio"
TASKS, CONFIG = "tasks.json", "config.xml"
_MOST_RESULTS = 1_000


def export_label_studio(
    state: ReviewState, candidates: Candidates, folder: Path, *, undecided: int = 0, title: str = "Review"
) -> int:
    """Write tasks for all candidates with a decision or a draft, and for the first `undecided` of each shortlist.

    Returns:
        The number of tasks.

    Raises:
        HarnessError: the folder cannot be written, or a file of candidates was changed.
    """
    write_files(folder, {CONFIG: labeling_config(title)})
    return write_json_list(folder / TASKS, map(_task, exported_candidates(state, candidates, undecided)))


def import_label_studio(state: ReviewState, candidates: Candidates, path: Path) -> MergeResult:
    """Add the decisions and drafts of an export, given as its file or the folder of `tasks.json`.

    Raises:
        HarnessError: as in `merge_judgements`.
    """
    file = path / TASKS if path.is_dir() else path
    tasks = read_json_list(file)
    return merge_judgements(
        state,
        candidates,
        (judgement for place, task in enumerate(tasks) for judgement in _judgements(task, f"{file.name}[{place}]")),
        ORIGIN,
    )


def labeling_config(title: str) -> str:
    """Return the labeling configuration: the shown fields, the two texts to edit, and the decision."""
    view = ET.Element("View")
    ET.SubElement(view, "Header", value=printable(title))
    for name, heading in FIELDS.items():
        ET.SubElement(view, "Header", value=heading, size="5")
        if name in EDITED:
            _area(view, name, value=f"${name}", rows="8", required="true")
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
    _area(view, "override", placeholder="Why it is accepted against the audit")
    _area(view, "note", placeholder="Note")
    ET.indent(view)
    return ET.tostring(view, encoding="unicode") + "\n"


def _area(view: ET.Element, name: str, **more: str) -> None:
    ET.SubElement(
        view, "TextArea", {"name": name, "toName": "question", "maxSubmissions": "1", "editable": "true", **more}
    )


def _task(exported: ExportedCandidate) -> dict[str, Any]:
    candidate, fields = exported.candidate, fields_of(exported)
    suggested = {name: fields[name] for name in EDITED}
    return {
        "data": {"candidate_id": candidate.candidate_id, **facts_of(exported), **fields},
        "predictions": [
            {
                "model_version": candidate.operator,
                "score": candidate.plausibility,
                "result": _result(suggested, candidate.candidate_id, {}),
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
        "result": _result(answers, f"{line.candidate_id}\n{line.reviewer}", {"reviewer": line.reviewer}),
        "was_cancelled": is_skip,
        "ground_truth": False,
        "lead_time": line.seconds,
    }


def _result(written: Mapping[str, str], whose: str, meta: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "id": hashlib.sha256(f"{whose}\n{name}".encode("utf-8", "backslashreplace")).hexdigest()[:10],
            "from_name": name,
            "to_name": "question",
            "type": "choices" if name in {"decision", "reason"} else "textarea",
            "value": {"choices": [text]} if name in {"decision", "reason"} else {"text": [text]},
            **({"meta": dict(meta)} if meta else {}),
        }
        for name, text in written.items()
        if text or name in EDITED
    ]


class _Value(StrictRecord):
    choices: list[str] | None = None
    text: list[str] | str | None = None


class _Meta(StrictRecord):
    reviewer: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")] | None = None


class _Result(StrictRecord):
    from_name: str
    value: _Value
    meta: _Meta | None = None


class _Annotation(StrictRecord):
    result: Annotated[list[_Result], Field(max_length=_MOST_RESULTS)]
    was_cancelled: bool = False
    lead_time: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    completed_by: JsonValue = None


class _Data(StrictRecord):
    candidate_id: Annotated[str, Field(min_length=1, max_length=500)]
    version: Annotated[str, Field(max_length=LONGEST_NAME)]
    flawed_solution: Annotated[str, Field(max_length=LONGEST_TEXT)]
    explanation: Annotated[str, Field(max_length=LONGEST_TEXT)]


class _Task(StrictRecord):
    data: _Data
    annotations: Annotated[list[_Annotation], Field(max_length=_MOST_RESULTS)] = Field(default_factory=list)
    drafts: Annotated[list[_Annotation], Field(max_length=_MOST_RESULTS)] = Field(default_factory=list)


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


def _judgement(data: _Data, annotation: _Annotation, where: str, *, draft: bool) -> ImportedJudgement | Refusal:
    own = {name: getattr(data, name) for name in EDITED}
    answers = {**own, **{result.from_name: _text(result.value) for result in annotation.result}}
    return judgement_of(
        answers,
        where,
        candidate_id=data.candidate_id,
        version=data.version,
        reviewer=_reviewer(annotation),
        decision=None if draft else "skip" if annotation.was_cancelled else answers.get("decision", ""),
        seconds=annotation.lead_time or 0.0,
    )


def _text(value: _Value) -> str:
    if value.choices is not None:
        return value.choices[0] if value.choices else ""
    return value.text if isinstance(value.text, str) else "\n".join(value.text or [])


def _reviewer(annotation: _Annotation) -> str:
    """Return the reviewer: the name in the exported task, else the user of Label Studio."""
    named = next((result.meta.reviewer for result in annotation.result if result.meta and result.meta.reviewer), None)
    if named is not None:
        return named
    user = annotation.completed_by
    if isinstance(user, dict):
        user = user.get("email") or user.get("id")
    return f"{ORIGIN}:{user if isinstance(user, str | int) else 'unknown'}"[:LONGEST_NAME]
