"""Types of the records that the verifier stage writes: figures, comparisons, consistency, items and answers."""

from typing import Any, NotRequired, TypedDict


class Estimate(TypedDict):
    """A figure with its interval and how many items it rests on; null where nothing can be said."""

    value: float | None
    low: float | None
    high: float | None
    n: int


class ReliabilityBin(TypedDict):
    """A tenth of stated confidences: how many, the mean stated one, and the share that was right."""

    n: int
    stated: float | None
    right: float | None


class Latency(TypedDict):
    """Seconds an item took."""

    p50: float | None
    p95: float | None
    n: int


class TypeFigures(TypedDict):
    """Of one type of error: the share found, of these items the share classed and placed rightly."""

    recall: Estimate
    coarse: Estimate
    line: Estimate


class EngineFigures(TypedDict):
    """A line of `figures.jsonl`: how well an engine judged a dataset."""

    engine: str
    dataset: str
    items: int
    problems: int
    metrics: dict[str, Estimate]
    types: dict[str, TypeFigures]
    confusion: dict[str, dict[str, int]]
    verdicts: dict[str, dict[str, int]]
    bins: list[ReliabilityBin]
    latency: Latency


class EngineComparison(TypedDict):
    """A line of `comparisons.jsonl`: how often one engine alone was right, of `verdict` or of `class`."""

    dataset: str
    engine: str
    baseline: str
    of: str
    items: int
    only_ours: int
    only_theirs: int
    p: float


class Consistency(TypedDict):
    """A line of `consistency.jsonl`."""

    engine: str
    relation: str
    consistency: Estimate
    both_right: Estimate


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
