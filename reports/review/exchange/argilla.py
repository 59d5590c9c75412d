"""Export of candidates and decisions to Argilla 2 datasets, and import from them.

The folder has the layout that `Dataset.to_disk` of Argilla 2 writes and `Dataset.from_disk` reads: `.argilla/dataset.json`,
`.argilla/settings.json` and `records.json`, a list of the results of `Record.to_dict`. Written and read back with argilla 2.8.0;
https://docs.argilla.io/latest/how_to_guides/import_export. Argilla writes no status of an answer: a draft is an answer without a decision.
"""

import json
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, JsonValue

from harness.errors import HarnessError
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
from reports.review.exchange.export_selection import (
    ExportedCandidate,
    exported_candidates,
    read_json_list,
    write_files,
    write_json_list,
)
from reports.review.exchange.judgement_merge import ImportedJudgement, MergeResult, Refusal, merge_judgements
from reports.review.state.review_state import LONGEST_NAME, LONGEST_TEXT, ReviewState

ORIGIN = "argilla"
RECORDS = "records.json"
GUIDELINES = (
    "Read the problem, the correct solution and the change. Write the flawed solution as a person would who makes this one mistake: "
    "the numbers stay, the words follow. Accept it, reject it with a reason, or skip it."
)
_QUESTIONS = {"flawed_solution": "edited_solution", "explanation": "edited_explanation"}
"""The questions that ask for the edited fields: names of fields and questions differ."""
_PEOPLE = uuid.UUID("6f3c8e1a-5f0e-4a53-9c0a-0f6e0c5f7b11")
_MOST_REVIEWERS = 1_000


@dataclass(frozen=True, slots=True)
class ArgillaUsers:
    """The Argilla users of reviewers, as UUIDs. A reviewer without an entry gets a UUID derived from the name."""

    users: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "ArgillaUsers":
        """Read a JSON object of reviewers' names and the UUIDs of their users.

        Raises:
            HarnessError: the file does not hold such an object.
        """
        try:
            users = json.loads(path.read_text(encoding="utf-8"))
            return cls({str(name): str(uuid.UUID(user)) for name, user in users.items()})
        except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
            raise HarnessError(
                f'--users {path}: expected {{"name": "UUID of the user in Argilla"}} ({str(error)[:100]})'
            ) from None

    def user(self, reviewer: str) -> str:
        """Return the UUID of a reviewer."""
        return self.users.get(reviewer) or str(uuid.uuid5(_PEOPLE, reviewer))

    def reviewer(self, user: str, named: Mapping[str, str]) -> str:
        """Return the reviewer's name of a user; `named` are the names in the record."""
        known = {user_id: name for name, user_id in self.users.items()}
        return known.get(user) or named.get(user) or user


def export_argilla(
    state: ReviewState, candidates: Candidates, folder: Path, *, undecided: int = 0, people: ArgillaUsers | None = None
) -> int:
    """Write a dataset of all candidates with a decision or a draft, and of the first `undecided` of each shortlist.

    Returns:
        The number of records.

    Raises:
        HarnessError: the folder cannot be written, or a file of candidates was changed.
    """
    users = people or ArgillaUsers()
    contents = {"settings": settings(), "dataset": {"name": "flaw-review", "guidelines": GUIDELINES}}
    write_files(
        folder, {f".argilla/{name}.json": json.dumps(content, indent=1) + "\n" for name, content in contents.items()}
    )
    return write_json_list(
        folder / RECORDS, (_record(exported, users) for exported in exported_candidates(state, candidates, undecided))
    )


def import_argilla(
    state: ReviewState, candidates: Candidates, path: Path, *, people: ArgillaUsers | None = None
) -> MergeResult:
    """Add the decisions and drafts of a dataset, given as its folder or `records.json`; raises the errors of `merge_judgements`."""
    file = path / RECORDS if path.is_dir() else path
    users = people or ArgillaUsers()
    records = read_json_list(file)
    return merge_judgements(
        state,
        candidates,
        (
            judgement
            for place, record in enumerate(records)
            for judgement in _judgements(record, f"{file.name}[{place}]", users)
        ),
        ORIGIN,
    )


def settings() -> dict[str, Any]:
    """Return the settings that `Settings.from_json` reads: fields, questions and metadata for filters."""

    def labels(options: Mapping[str, str]) -> dict[str, Any]:
        shown = [{"value": value, "text": text, "description": None} for value, text in options.items()]
        return {"type": "label_selection", "options": shown, "visible_options": len(shown)}

    text = {"type": "text", "use_markdown": False}
    reasons = {str(reason): reason.words for reason in RejectReason}
    questions: list[tuple[str, str, bool, dict[str, Any]]] = [
        (_QUESTIONS["flawed_solution"], "The flawed solution, as it should read", True, text),
        (_QUESTIONS["explanation"], "The explanation, as it should read", True, text),
        ("decision", "Decision", True, labels({str(decision): str(decision) for decision in Decision})),
        ("reason", "Why it is rejected", False, labels(reasons)),
        ("override", "Why it is accepted against the audit", False, text),
        ("note", "Note", False, text),
    ]
    terms = ("version", "problem_id", "tier", "position", "error_type", "operator", "needs_edit", "reviewers")
    return {
        "guidelines": GUIDELINES,
        "allow_extra_metadata": True,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "fields": [
            {"name": name, "title": title, "required": name != "change", "settings": text}
            for name, title in FIELDS.items()
        ],
        "questions": [
            {"name": name, "title": title, "required": required, "settings": kind}
            for name, title, required, kind in questions
        ],
        "metadata": [
            *({"name": name, "title": name, "settings": {"type": "terms"}} for name in terms),
            {"name": "plausibility", "title": "plausibility", "settings": {"type": "float"}},
        ],
        "vectors": [],
    }


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


class _Answer(StrictRecord):
    value: JsonValue
    user_id: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")]
    status: str | None = None


class _Fields(StrictRecord):
    flawed_solution: Annotated[str, Field(max_length=LONGEST_TEXT)]
    explanation: Annotated[str, Field(max_length=LONGEST_TEXT)]


class _Metadata(StrictRecord):
    version: Annotated[str, Field(max_length=LONGEST_NAME)]
    reviewers: Annotated[list[str], Field(max_length=_MOST_REVIEWERS)] = Field(default_factory=list)


class _Record(StrictRecord):
    id: Annotated[str, Field(min_length=1, max_length=500)]
    fields: _Fields
    metadata: _Metadata
    responses: Annotated[
        dict[str, Annotated[list[_Answer], Field(max_length=_MOST_REVIEWERS)]], Field(max_length=_MOST_REVIEWERS)
    ] = Field(default_factory=dict)


def _judgements(record: Any, where: str, people: ArgillaUsers) -> Iterator[ImportedJudgement | Refusal]:
    """Yield the judgement of each user of a record."""
    parsed = read_strictly(_Record, record, where)
    if isinstance(parsed, Refusal):
        yield parsed
        return
    named = {user: name for user, _, name in (text.partition(" ") for text in parsed.metadata.reviewers) if name}
    by_user: defaultdict[str, dict[str, _Answer]] = defaultdict(dict)
    for question, answers in parsed.responses.items():
        for answer in answers:
            by_user[answer.user_id][question] = answer
    for user, answers_of_user in by_user.items():
        yield _judgement(parsed, answers_of_user, people.reviewer(user, named), where)


def _judgement(
    record: _Record, answers: Mapping[str, _Answer], reviewer: str, where: str
) -> ImportedJudgement | Refusal:
    values = {question: answer.value for question, answer in answers.items() if isinstance(answer.value, str)}
    edited = {name: values.get(_QUESTIONS[name], getattr(record.fields, name)) for name in EDITED}
    statuses = {answer.status for answer in answers.values()}
    decision = "skip" if "discarded" in statuses else None if "draft" in statuses else values.get("decision") or None
    return judgement_of(
        {**values, **edited},
        where,
        candidate_id=record.id,
        version=record.metadata.version,
        reviewer=reviewer,
        decision=decision,
    )
