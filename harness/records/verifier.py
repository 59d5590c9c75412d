"""The records of the verifier stage: figures of engines, comparisons of them, and what is left and counted where records are kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, JsonValue

from harness.json_form import Integer, Number, Prose, rounded

Rounded = Annotated[Number | None, rounded(6)]
"""A number, in JSON rounded to six places."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95% interval; null where nothing can be said."""

    value: Rounded
    """The figure."""
    low: Rounded
    """The lower end of the interval."""
    high: Rounded
    """The upper end of the interval."""
    n: Integer
    """How many items it rests on."""


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """A tenth of the stated confidences."""

    start: Annotated[Number, Field(alias="from")]
    """The lower end of the tenth."""
    n: Integer
    """How many confidences lie in it."""
    stated: Rounded
    """The mean stated confidence."""
    right: Rounded
    """The share that was right."""


@dataclass(frozen=True, slots=True)
class Latency:
    """The seconds that an item took."""

    p50: Number | None
    """The median; null where nothing was timed."""
    p95: Number | None
    """The 95th percentile."""
    n: Integer
    """How many items were timed."""


@dataclass(frozen=True, slots=True)
class TypeFigures:
    """Figures of the items with one type of error."""

    recall: Estimate
    """The share that was judged flawed."""
    coarse: Estimate
    """The share with the right class."""
    line: Estimate
    """The share with the right line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFigures:
    """How well an engine judged a dataset."""

    engine: str
    dataset: str
    items: Integer
    """How many items were judged."""
    problems: Integer
    """How many problems they are about."""
    metrics: Mapping[str, Estimate]
    """Each metric by name."""
    types: Mapping[str, TypeFigures]
    """The figures of each type of error."""
    confusion: Mapping[str, Mapping[str, Integer]]
    """How many items of each true class were given each class."""
    verdicts: Mapping[str, Mapping[str, Integer]]
    """How many items of each true verdict were given each verdict."""
    bins: tuple[ReliabilityBin, ...]
    """The reliability of stated confidences."""
    latency: Latency
    """How long an item took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineComparison:
    """McNemar's exact test of two engines on the same items."""

    dataset: str
    engine: str
    baseline: str
    """The engine that it is compared with."""
    of: str
    """What is compared: `verdict` or `class`."""
    items: Integer
    """How many items both judged."""
    only_ours: Integer
    """The number of items on which only the engine was right."""
    only_theirs: Integer
    """The number of items on which only the baseline was right."""
    p: Number
    """The two-sided p value."""


@dataclass(frozen=True, slots=True)
class LeftRecord:
    """A record that is not kept, in `KEPT.rest.jsonl`."""

    reason: Prose
    """Why it is not kept."""
    record: JsonValue
    """The record as the file has it; of a line that is no record, the error as text."""


@dataclass(frozen=True, slots=True)
class KeptCounts:
    """What is kept, in `KEPT.about.json`; what is kept, in `KEPT`, are the records as the file has them."""

    records: Integer
    """The records of the file."""
    judged: Integer
    """Those that an oracle judged."""
    kept: Integer
    """Those that are kept."""
    precision: Number
    """The least share of right ones that was asked for."""
    least_p_right: Number | None
    """The least probability that the oracle of a kept record is right; null where none is kept."""
    expected_share_of_wrong: Number | None
    """The share of the kept that is expected to have a wrong answer at most; null where none is kept."""
    left: Mapping[str, Integer]
    """The records that are left, by the reason."""
