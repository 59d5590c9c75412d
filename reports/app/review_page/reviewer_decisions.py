"""The decisions in force of a reviewer, from all tabs, with the count and the median time of today."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import TYPE_CHECKING

from harness.records.review import Decision, DecisionLine

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class ReviewerDecisions:
    """The decisions in force of a reviewer, in order, by the `uid` of their entries."""

    reviewer: str
    in_force: dict[str, DecisionLine] = field(default_factory=dict)

    @classmethod
    def of(cls, reviewer: str, entries: Iterable[DecisionLine]) -> ReviewerDecisions:
        """Read the log, oldest first."""
        decisions = cls(reviewer)
        for entry in entries:
            decisions.add(entry)
        return decisions

    def add(self, entry: DecisionLine) -> None:
        """Count an entry; an undo removes the decision that it undoes."""
        if entry.reviewer != self.reviewer:
            return
        if entry.undoes is None:
            self.in_force[entry.uid] = entry
        else:
            self.in_force.pop(entry.undoes, None)

    @property
    def last(self) -> DecisionLine | None:
        """Return the last decision, or `None`."""
        return next(reversed(self.in_force.values()), None)

    def on(self, candidate_id: str, version: str) -> DecisionLine | None:
        """Return the last decision on a candidate, or `None`."""
        own = (entry for entry in reversed(self.in_force.values()) if entry.candidate_id == candidate_id)
        return next((entry for entry in own if entry.version == version), None)

    @property
    def today(self) -> list[DecisionLine]:
        """Return today's decisions without skips, by the local day."""
        day = datetime.now(tz=UTC).astimezone().date()
        return [
            entry
            for entry in self.in_force.values()
            if entry.decision is not Decision.SKIP and datetime.fromisoformat(entry.at).astimezone().date() == day
        ]

    @property
    def median_seconds(self) -> float | None:
        """Return the median seconds of today's decisions, `None` without any."""
        seconds = [entry.seconds for entry in self.today]
        return median(seconds) if seconds else None
