"""Types of the items and answers that the verifier stage seals; answers may come from other tools."""

from typing import Any, NotRequired, TypedDict


class JudgedItem(TypedDict):
    """A line of `items.jsonl`."""

    dataset: str
    sample_id: str
    problem_id: str
    question: str
    solution: str
    flawed: bool
    error_class: str | None
    error_type: str
    line: str
    explanation: str
    relation: str


class JudgedAnswer(TypedDict):
    """A line of `predictions-ENGINE.jsonl`."""

    dataset: str
    sample_id: str
    verdict: NotRequired[str | None]
    error_details: NotRequired[dict[str, Any] | None]
    error_class: NotRequired[str | None]
    confidence: NotRequired[float | None]
    evidence: NotRequired[list[dict[str, Any]]]
