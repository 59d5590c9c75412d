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

from pydantic import Field, JsonValue, ValidationError

from harness.errors import HarnessError
from harness.records.review import CandidateTexts, Decision, RejectReason
from harness.store.run_folder import write_atomically
from harness.text.printable_text import printable
from reports.review.candidates.candidates import Candidates
from reports.review.candidates.logical_change import change_of
from reports.review.exchange.export_selection import (
    ExportedCandidate,
    exported_candidates,
    read_json_list,
    write_json_list,
)
from reports.review.exchange.judgement_merge import (
    ImportedJudgement,
    MergeResult,
    Refusal,
    RefusalReason,
    merge_judgements,
)
from reports.review.exchange.strict_record import StrictRecord
from reports.review.state.review_state import LONGEST_NAME, LONGEST_TEXT, ReviewState, check_note, check_texts

ORIGIN = "label-studio"
TASKS, CONFIG = "tasks.json", "config.xml"
_SHOWN = {"question": "Problem", "solution": "Correct solution", "change": "What was changed"}
_WRITTEN = {"flawed_solution": "Flawed solution", "explanation": "Explanation"}
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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / CONFIG, labeling_config(title))
    except OSError as error:
        raise HarnessError(f"{folder}: cannot be written ({error}); give another path with --out") from None
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
    for name, heading in _SHOWN.items():
        ET.SubElement(view, "Header", value=heading, size="5")
        ET.SubElement(view, "Text", name=name, value=f"${name}")
    for name, heading in _WRITTEN.items():
        ET.SubElement(view, "Header", value=heading, size="5")
        _area(view, name, value=f"${name}", rows="8", required="true")
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
    candidate, own = exported.candidate, exported.own
    solution = "\n".join(own.lines)
    prediction = {
        "model_version": candidate.operator,
        "score": candidate.plausibility,
        "result": _result({"flawed_solution": solution, "explanation": own.explanation}, candidate.candidate_id, {}),
    }
    return {
        "data": {
            "candidate_id": candidate.candidate_id,
            "version": candidate.version,
            "problem_id": candidate.problem_id,
            "tier": candidate.tier,
            "position": candidate.position,
            "error_type": candidate.error_type,
            "operator": candidate.operator,
            "needs_edit": candidate.needs_edit,
            "question": candidate.record["question"],
            "solution": candidate.record["solution"],
            "change": change_of(candidate.record).sentence,
            "flawed_solution": solution,
            "explanation": own.explanation,
        },
        "predictions": [prediction],
        "annotations": [_annotation(said) for said in exported.judgements if said.decision is not None],
        "drafts": [_annotation(said) for said in exported.judgements if said.decision is None],
    }


def _annotation(judgement: ImportedJudgement) -> dict[str, Any]:
    written = {
        "decision": "" if judgement.decision in {None, Decision.SKIP} else str(judgement.decision),
        "flawed_solution": "\n".join(judgement.texts.lines),
        "explanation": judgement.texts.explanation,
        "reason": "" if judgement.reason is None else str(judgement.reason),
        "override": judgement.override,
        "note": judgement.note,
    }
    return {
        "result": _result(written, f"{judgement.candidate_id}\n{judgement.reviewer}", {"reviewer": judgement.reviewer}),
        "was_cancelled": judgement.decision is Decision.SKIP,
        "ground_truth": False,
        "lead_time": judgement.seconds,
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
        if text or name in _WRITTEN
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
    try:
        read = _Task.model_validate(task)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        yield Refusal(RefusalReason.MALFORMED, where, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
        return
    for annotation in read.annotations:
        yield _judgement(read.data, annotation, where, draft=False)
    for annotation in read.drafts:
        yield _judgement(read.data, annotation, where, draft=True)


def _judgement(data: _Data, annotation: _Annotation, where: str, *, draft: bool) -> ImportedJudgement | Refusal:
    texts_by_name = {result.from_name: _text(result.value) for result in annotation.result}
    reviewer = _reviewer(annotation)
    decided = texts_by_name.get("decision", "")
    try:
        decision = None if draft else Decision.SKIP if annotation.was_cancelled else Decision(decided)
        reason = RejectReason(texts_by_name["reason"]) if texts_by_name.get("reason") else None
        texts = CandidateTexts(
            tuple(texts_by_name.get("flawed_solution", data.flawed_solution).split("\n")),
            texts_by_name.get("explanation", data.explanation),
        )
        check_texts(texts)
        check_note(texts_by_name.get("override", ""), texts_by_name.get("note", ""))
    except (ValueError, HarnessError) as error:
        return Refusal(RefusalReason.MALFORMED, where, str(error)[:200])
    return ImportedJudgement(
        where=where,
        candidate_id=data.candidate_id,
        version=data.version,
        reviewer=reviewer,
        decision=decision,
        texts=texts,
        override=texts_by_name.get("override", ""),
        reason=reason,
        note=texts_by_name.get("note", ""),
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
