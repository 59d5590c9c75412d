"""The parts of Label Studio tasks: the results of an annotation, its reviewer, and the areas of text of a configuration."""

import hashlib
import xml.etree.ElementTree as ET  # only written: no foreign text is parsed as XML
from collections.abc import Collection, Mapping
from typing import Annotated, Any

from pydantic import Field, JsonValue

from reports.review.exchange.annotation_answers import StrictRecord
from reports.review.state.review_state import LONGEST_NAME

ORIGIN = "label-studio"
TASKS, CONFIG = "tasks.json", "config.xml"
_MOST_RESULTS = 1_000


class _Value(StrictRecord):
    choices: list[str] | None = None
    text: list[str] | str | None = None


class _Meta(StrictRecord):
    reviewer: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")] | None = None


class _Result(StrictRecord):
    from_name: str
    value: _Value
    meta: _Meta | None = None


class Annotation(StrictRecord):
    """The answers of one user to a task."""

    result: Annotated[list[_Result], Field(max_length=_MOST_RESULTS)]
    was_cancelled: bool = False
    lead_time: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    completed_by: JsonValue = None


Annotations = Annotated[list[Annotation], Field(max_length=_MOST_RESULTS)]


def text_area(view: ET.Element, name: str, **more: str) -> None:
    """Add a question that is answered by one text."""
    ET.SubElement(
        view, "TextArea", {"name": name, "toName": "question", "maxSubmissions": "1", "editable": "true", **more}
    )


def results_of(
    answers: Mapping[Any, str], whose: str, meta: Mapping[str, str], *, chosen: Collection[str]
) -> list[dict[str, Any]]:
    """Return answers as results with identifiers of `whose` they are; those to `chosen` questions are choices, the others texts."""
    return [
        {
            "id": hashlib.sha256(f"{whose}\n{name}".encode("utf-8", "backslashreplace")).hexdigest()[:10],
            "from_name": str(name),
            "to_name": "question",
            "type": "choices" if name in chosen else "textarea",
            "value": {"choices": [text]} if name in chosen else {"text": [text]},
            **({"meta": dict(meta)} if meta else {}),
        }
        for name, text in answers.items()
    ]


def answers_of_annotation(annotation: Annotation) -> dict[str, str]:
    """Return the answers of an annotation by the names of the questions."""
    return {result.from_name: _text(result.value) for result in annotation.result}


def reviewer_of(annotation: Annotation) -> str:
    """Return the reviewer: the name in the exported task, else the user of Label Studio."""
    named = next((result.meta.reviewer for result in annotation.result if result.meta and result.meta.reviewer), None)
    if named is not None:
        return named
    user = annotation.completed_by
    if isinstance(user, dict):
        user = user.get("email") or user.get("id")
    return f"{ORIGIN}:{user if isinstance(user, str | int) else 'unknown'}"[:LONGEST_NAME]


def _text(value: _Value) -> str:
    if value.choices is not None:
        return value.choices[0] if value.choices else ""
    return value.text if isinstance(value.text, str) else "\n".join(value.text or [])
