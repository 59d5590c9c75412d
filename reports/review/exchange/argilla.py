"""Export of candidates and decisions to Argilla 2 datasets, and import from them.

The folder has the layout that `Dataset.to_disk` of Argilla 2 writes and `Dataset.from_disk` reads: `.argilla/dataset.json`,
`.argilla/settings.json` and `records.json`, a list of the results of `Record.to_dict`. Written and read back with argilla 2.8.0;
https://docs.argilla.io/latest/how_to_guides/import_export. Argilla writes no status of an answer: a draft is an answer without a decision.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from harness.records.review import Decision, DecisionLine, RejectReason
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
from reports.review.exchange.argilla_examples import labels_of_record
from reports.review.exchange.argilla_forms import (
    RECORDS,
    Answer,
    ArgillaUsers,
    Responses,
    Reviewers,
    answers_by_user,
    label_question,
    names_of_users,
    settings_of,
    status_of,
    write_dataset,
)
from reports.review.exchange.example_answers import is_example
from reports.review.exchange.export_selection import (
    ExportedCandidate,
    exported_candidates,
    exported_records,
    write_json_list,
)
from reports.review.exchange.judgement_merge import ImportedJudgement, MergeResult, Refusal, merge_judgements
from reports.review.state.review_state import LONGEST_NAME, LONGEST_TEXT, ReviewState

ORIGIN = "argilla"
GUIDELINES = (
    "Read the problem, the correct solution and the change. Write the flawed solution as a person would who makes this one mistake: "
    "the numbers stay, the words follow. Accept it, reject it with a reason, or skip it."
)
_QUESTIONS = {"flawed_solution": "edited_solution", "explanation": "edited_explanation"}
"""The questions that ask for the edited fields: names of fields and questions differ."""


def export_argilla(
    state: ReviewState,
    candidates: Candidates | None,
    folder: Path,
    *,
    undecided: int = 0,
    people: ArgillaUsers | None = None,
) -> int:
    """Write a dataset of all candidates with a decision or a draft, and of the first `undecided` of each shortlist.

    Returns:
        The number of records.

    Raises:
        HarnessError: the folder cannot be written, or a file of candidates was changed.
    """
    users = people or ArgillaUsers()
    write_dataset(folder, "flaw-review", settings())
    return write_json_list(
        folder / RECORDS, (_record(exported, users) for exported in exported_candidates(state, candidates, undecided))
    )


def import_argilla(
    state: ReviewState, candidates: Candidates | None, path: Path, *, people: ArgillaUsers | None = None
) -> MergeResult:
    """Add the decisions, drafts and examples of datasets, given as the folder of an export or as one `records.json`.

    Raises:
        HarnessError: as in `merge_judgements`.
    """
    users, now = people or ArgillaUsers(), state.clock()
    return merge_judgements(
        state,
        candidates,
        (
            judgement
            for where, record in exported_records(path, RECORDS)
            for judgement in (
                labels_of_record(record, where, users, now)
                if isinstance(record, dict) and is_example(record.get("metadata"))
                else _judgements(record, where, users)
            )
        ),
        ORIGIN,
    )


def settings() -> dict[str, Any]:
    """Return the settings that `Settings.from_json` reads: fields, questions and metadata for filters."""
    text = {"type": "text", "use_markdown": False}
    reasons = {str(reason): reason.words for reason in RejectReason}
    return settings_of(
        GUIDELINES,
        fields=[(name, title, name != "change") for name, title in FIELDS.items()],
        questions=[
            (_QUESTIONS["flawed_solution"], "The flawed solution, as it should read", True, text),
            (_QUESTIONS["explanation"], "The explanation, as it should read", True, text),
            ("decision", "Decision", True, label_question({str(decision): str(decision) for decision in Decision})),
            ("reason", "Why it is rejected", False, label_question(reasons)),
            ("override", "Why it is accepted against the audit", False, text),
            ("note", "Note", False, text),
        ],
        terms=("version", "problem_id", "tier", "position", "error_type", "operator", "needs_edit", "reviewers"),
        figure="plausibility",
    )


def _record(exported: ExportedCandidate, people: ArgillaUsers) -> dict[str, Any]:
    candidate, fields = exported.candidate, fields_of(exported)
    suggested = {"score": min(max(candidate.plausibility, 0.0), 1.0), "agent": candidate.operator}
    answers: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    decisions = [line.decision if isinstance(line, DecisionLine) else None for line in exported.judgements]
    for line, decision in zip(exported.judgements, decisions, strict=True):
        status = {None: "draft", Decision.SKIP: "discarded"}.get(decision, "submitted")
        for name, value in answers_of(line).items():
            if value or name in EDITED:
                answer = {"value": value, "user_id": people.user(line.reviewer), "status": status}
                answers[_QUESTIONS.get(name, name)].append(answer)
    facts = {**facts_of(exported), "needs_edit": "yes" if candidate.needs_edit else "no"}
    reviewers = [f"{people.user(line.reviewer)} {line.reviewer}" for line in exported.judgements]
    return {
        "id": candidate.candidate_id,
        "fields": fields,
        "metadata": {**facts, "plausibility": candidate.plausibility, "reviewers": reviewers},
        "suggestions": {_QUESTIONS[name]: {"value": fields[name], **suggested} for name in EDITED},
        "responses": answers,
        "vectors": {},
        "status": "completed" if set(decisions) - {None, Decision.SKIP} else "pending",
        "_server_id": None,
    }


class _Fields(StrictRecord):
    flawed_solution: Annotated[str, Field(max_length=LONGEST_TEXT)]
    explanation: Annotated[str, Field(max_length=LONGEST_TEXT)]


class _Metadata(StrictRecord):
    version: Annotated[str, Field(max_length=LONGEST_NAME)]
    reviewers: Reviewers = Field(default_factory=list)


class _Record(StrictRecord):
    id: Annotated[str, Field(min_length=1, max_length=500)]
    fields: _Fields
    metadata: _Metadata
    responses: Responses = Field(default_factory=dict)


def _judgements(record: Any, where: str, people: ArgillaUsers) -> Iterator[ImportedJudgement | Refusal]:
    """Yield the judgement of each user of a record."""
    parsed = read_strictly(_Record, record, where)
    if isinstance(parsed, Refusal):
        yield parsed
        return
    named = names_of_users(parsed.metadata.reviewers)
    for user, answers_of_user in answers_by_user(parsed.responses).items():
        yield _judgement(parsed, answers_of_user, people.reviewer(user, named), where)


def _judgement(
    record: _Record, answers: Mapping[str, Answer], reviewer: str, where: str
) -> ImportedJudgement | Refusal:
    values = {question: answer.value for question, answer in answers.items() if isinstance(answer.value, str)}
    edited = {name: values.get(_QUESTIONS[name], getattr(record.fields, name)) for name in EDITED}
    status = status_of(answers.values())
    decision = "skip" if status == "discarded" else None if status == "draft" else values.get("decision") or None
    return judgement_of(
        {**values, **edited},
        where,
        candidate_id=record.id,
        version=record.metadata.version,
        reviewer=reviewer,
        decision=decision,
    )
