"""Flows through the steps of a run: each item of a step either reaches the next one or leaves by a named branch."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from reports.views.artefacts import ReportError

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_BRANCHES = 8
"""Branches of a step that a picture shows one by one; the rarest of the others are added up."""


@dataclass(frozen=True, slots=True)
class FlowStep:
    """A step that `count` reach.

    `left` are those that leave after it, by reason; `ended` those that end with it, by what became of them. All others reach
    the next step.
    """

    title: str
    count: int
    left: Mapping[str, int] = field(default_factory=dict)
    ended: Mapping[str, int] = field(default_factory=dict)

    @property
    def passed(self) -> int:
        """How many reach the next step."""
        return self.count - sum(self.left.values()) - sum(self.ended.values())


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow of things of one kind, `unit`, through steps; `source` is where its counts come from.

    Raises:
        ReportError: the counts of two steps do not account for each other.
    """

    unit: str
    steps: tuple[FlowStep, ...]
    source: str

    def __post_init__(self) -> None:
        """Compare the counts of neighbouring steps."""
        for step, following in zip_longest(self.steps, self.steps[1:]):
            counts = [step.count, *step.left.values(), *step.ended.values()]
            expected = step.passed if following is None else following.count
            if min(counts) < 0 or step.passed < 0 or step.passed != expected:
                shown = "" if following is None else f", and {following.count:,} reach {following.title!r}"
                raise ReportError(
                    f"{self.source}: the counts do not add up: {step.count:,} {self.unit} reach {step.title!r}, "
                    f"{sum(counts[1:]):,} leave after it{shown}; the run was made by another version: make it again in a new folder"
                )


def first_counts(counts: Mapping[str, int], most: int) -> Mapping[str, int]:
    """Return the first counts, and the others as one: at most `most` entries with the sum of all."""
    entries = list(counts.items())
    if len(entries) <= most:
        return dict(entries)
    rest = entries[most - 1 :]
    return {**dict(entries[: most - 1]), f"{len(rest)} other reasons": sum(count for _, count in rest)}
