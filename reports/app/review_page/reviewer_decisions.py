"""The decisions in force of a reviewer, from all tabs, with the count and the median time of today."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import TYPE_CHECKING

from harness.records.review import Decision, DecisionLine

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class CountedDecision:
    """A decision in force, without its texts; its day is the local one."""

    candidate_id: str
    version: str
    session: str
    decision: Decision
    seconds: float
    day: str


@dataclass(slots=True)
class ReviewerDecisions:
    """The decisions in force of a reviewer, in order, by the `uid` of their entries."""

    reviewer: str
    in_force: dict[str, CountedDecision] = field(default_factory=dict)

    @classmethod
    def of(cls, reviewer: str, entries: Iterable[DecisionLine]) -> ReviewerDecisions:
        """Read the log, oldest first."""
        tally = cls(reviewer)
        for entry in entries:
            tally.add(entry)
        return tally

    def add(self, entry: DecisionLine) -> None:
        """Count an entry; an undo removes the decision that it undoes."""
        if entry.reviewer != self.reviewer:
            return
        if entry.undoes is not None:
            self.in_force.pop(entry.undoes, None)
            return
        day = datetime.fromisoformat(entry.at).astimezone().date().isoformat()
        decision = CountedDecision(entry.candidate_id, entry.version, entry.session, entry.decision, entry.seconds, day)
        self.in_force[entry.uid] = decision

    @property
    def last(self) -> CountedDecision | None:
        """Return the last decision, or `None`."""
        return next(reversed(self.in_force.values()), None)

    def on(self, candidate_id: str, version: str) -> CountedDecision | None:
        """Return the last decision on a candidate, or `None`."""
        key = (candidate_id, version)
        return next(
            (
                decision
                for decision in reversed(self.in_force.values())
                if (decision.candidate_id, decision.version) == key
            ),
            None,
        )

    @property
    def today(self) -> list[CountedDecision]:
        """Return today's decisions without skips."""
        day = datetime.now(tz=UTC).astimezone().date().isoformat()
        return [
            decision
            for decision in self.in_force.values()
            if decision.day == day and decision.decision is not Decision.SKIP
        ]

    @property
    def median_seconds(self) -> float | None:
        """Return the median seconds of today's decisions, `None` without any."""
        seconds = [decision.seconds for decision in self.today]
        return median(seconds) if seconds else None
