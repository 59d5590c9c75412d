"""Labelled examples as an Argilla dataset of its own beside that of the candidates, and reading them from its records."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from harness.records.review import ExampleLine
from reports.review.exchange.annotation_answers import StrictRecord, read_strictly
from reports.review.exchange.argilla_forms import (
    RECORDS,
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
from reports.review.exchange.example_answers import (
    CHOICES,
    FIELDS,
    GUIDELINES,
    ExampleFacts,
    Question,
    answers_of_engine,
    answers_of_example,
    facts_of_example,
    fields_of_example,
    offered_example,
)
from reports.review.exchange.export_selection import write_json_list
from reports.review.exchange.judgement_merge import OfferedRecord, Refusal
from reports.review.state.examples import examples_in_force
from reports.review.state.review_state import LONGEST_TEXT, ReviewState

_FIGURE = "engine_confidence"
_TERMS = (*(name for name in ExampleFacts.model_fields if name != _FIGURE), "reviewers")


def export_argilla_examples(state: ReviewState, folder: Path, *, people: ArgillaUsers | None = None) -> int:
    """Write a dataset of all examples in force, each with its reviewer's label and what the engine said as a suggestion.

    Returns:
        The number of records.

    Raises:
        HarnessError: the folder cannot be written.
    """
    users = people or ArgillaUsers()
    write_dataset(folder, "labelled-examples", example_settings())
    return write_json_list(folder / RECORDS, (_record(example, users) for example in examples_in_force(state)))


def example_settings() -> dict[str, Any]:
    """Return the settings that `Settings.from_json` reads: fields, questions and metadata for filters."""
    text = {"type": "text", "use_markdown": False}
    return settings_of(
        GUIDELINES,
        fields=[(name, title, name != "engine_answer") for name, title in FIELDS.items()],
        questions=[
            (
                str(question),
                question.words,
                question is Question.VERDICT,
                label_question(CHOICES[question]) if question in CHOICES else text,
            )
            for question in Question
        ],
        terms=_TERMS,
        figure=_FIGURE,
    )


def labels_of_record(record: Any, where: str, people: ArgillaUsers, now: float) -> Iterator[OfferedRecord | Refusal]:
    """Yield the example of each user who answered a record; who discarded it labels nothing."""
    parsed = read_strictly(_Record, record, where)
    if isinstance(parsed, Refusal):
        yield parsed
        return
    named = names_of_users(parsed.metadata.reviewers)
    for user, answers_of_user in answers_by_user(parsed.responses).items():
        status = status_of(answers_of_user.values())
        if status != "discarded":
            yield offered_example(
                parsed.metadata,
                {"question": parsed.fields.question, "solution": parsed.fields.solution},
                {name: answer.value for name, answer in answers_of_user.items() if isinstance(answer.value, str)},
                reviewer=people.reviewer(user, named),
                where=where,
                now=now,
                is_draft=status == "draft",
            )


def _record(example: ExampleLine, people: ArgillaUsers) -> dict[str, Any]:
    user = people.user(example.reviewer)
    facts = {name: fact for name, fact in facts_of_example(example).items() if fact != ""}
    suggested = {"score": example.judged.confidence, "agent": example.judged.engine}
    return {
        "id": example.uid,
        "fields": fields_of_example(example),
        "metadata": {**facts, "reviewers": [f"{user} {example.reviewer}"]},
        "suggestions": {
            str(question): {"value": answer, **suggested} for question, answer in answers_of_engine(example).items()
        },
        "responses": {
            str(question): [{"value": answer, "user_id": user, "status": "submitted"}]
            for question, answer in answers_of_example(example).items()
        },
        "vectors": {},
        "status": "completed",
        "_server_id": None,
    }


class _Texts(StrictRecord):
    question: Annotated[str, Field(max_length=LONGEST_TEXT)]
    solution: Annotated[str, Field(max_length=LONGEST_TEXT)]


class _Facts(ExampleFacts):
    reviewers: Reviewers = Field(default_factory=list)


class _Record(StrictRecord):
    fields: _Texts
    metadata: _Facts
    responses: Responses = Field(default_factory=dict)
