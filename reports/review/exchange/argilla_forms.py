"""The parts of an Argilla 2 dataset on disk: its folder, settings, users and answers."""

import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from harness.errors import HarnessError
from reports.review.exchange.annotation_answers import StrictRecord
from reports.review.exchange.export_selection import write_files
from reports.review.state.review_state import LONGEST_NAME

RECORDS = "records.json"
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


class Answer(StrictRecord):
    """A user's answer to a question. Argilla writes no status of an answer."""

    value: JsonValue
    user_id: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")]
    status: str | None = None


Reviewers = Annotated[list[str], Field(max_length=_MOST_REVIEWERS)]
"""The users and names of a record's reviewers, each as `UUID name`."""
Responses = Annotated[
    dict[str, Annotated[list[Answer], Field(max_length=_MOST_REVIEWERS)]], Field(max_length=_MOST_REVIEWERS)
]
"""The answers of all users, by the names of the questions."""


def answers_by_user(responses: Mapping[str, Sequence[Answer]]) -> dict[str, dict[str, Answer]]:
    """Return the answers of each user by the names of the questions."""
    by_user: defaultdict[str, dict[str, Answer]] = defaultdict(dict)
    for question, answers in responses.items():
        for answer in answers:
            by_user[answer.user_id][question] = answer
    return by_user


def names_of_users(reviewers: Iterable[str]) -> dict[str, str]:
    """Return the names in `Reviewers` by user."""
    return {user: name for user, _, name in (text.partition(" ") for text in reviewers) if name}


def status_of(answers: Iterable[Answer]) -> Literal["discarded", "draft", ""]:
    """Return the status of a user's answers, as far as it is known."""
    statuses = {answer.status for answer in answers}
    return "discarded" if "discarded" in statuses else "draft" if "draft" in statuses else ""


def write_dataset(folder: Path, name: str, settings: Mapping[str, Any]) -> None:
    """Write the settings of a dataset into its folder.

    Raises:
        HarnessError: the folder cannot be written.
    """
    contents = {"settings": settings, "dataset": {"name": name, "guidelines": settings["guidelines"]}}
    write_files(
        folder, {f".argilla/{part}.json": json.dumps(content, indent=1) + "\n" for part, content in contents.items()}
    )


def label_question(options: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of a question that is answered by one of some values, given with their words."""
    shown = [{"value": value, "text": text, "description": None} for value, text in options.items()]
    return {"type": "label_selection", "options": shown, "visible_options": None}


def settings_of(
    guidelines: str,
    *,
    fields: Sequence[tuple[str, str, bool]],
    questions: Sequence[tuple[str, str, bool, Mapping[str, Any]]],
    terms: Sequence[str],
    figure: str,
) -> dict[str, Any]:
    """Return the settings of a dataset: fields and questions by name, title and whether they are required; names of metadata."""
    text = {"type": "text", "use_markdown": False}
    return {
        "guidelines": guidelines,
        "allow_extra_metadata": True,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "fields": [
            {"name": name, "title": title, "required": required, "settings": text} for name, title, required in fields
        ],
        "questions": [
            {"name": name, "title": title, "required": required, "settings": kind}
            for name, title, required, kind in questions
        ],
        "metadata": [
            *({"name": name, "title": name, "settings": {"type": "terms"}} for name in terms),
            {"name": figure, "title": figure, "settings": {"type": "float"}},
        ],
        "vectors": [],
    }
