"""The decisions of one reviewer that are in force, from all tabs, with the count and median time of today."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import TYPE_CHECKING

from reports.review.state.decisions import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.review.state.decisions import LogEntry


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
    """The decisions of one reviewer that were not taken back, in the order they were made, by the `uid` of their entries."""

    reviewer: str
    made: dict[str, CountedDecision] = field(default_factory=dict)

    @classmethod
    def of(cls, reviewer: str, entries: Iterable[LogEntry]) -> ReviewerDecisions:
        """Read the log, oldest first."""
        tally = cls(reviewer)
        for entry in entries:
            tally.add(entry)
        return tally

    def add(self, entry: LogEntry) -> None:
        """Count one entry more: an undo takes away what it undoes."""
        if entry.reviewer != self.reviewer:
            return
        if entry.undoes is not None:
            self.made.pop(entry.undoes, None)
            return
        day = datetime.fromisoformat(entry.at).astimezone().date().isoformat()
        made = CountedDecision(
            entry.candidate_id, entry.version, entry.session, entry.ruling.decision, entry.seconds, day
        )
        self.made[entry.uid] = made

    @property
    def last(self) -> CountedDecision | None:
        """Return the last decision."""
        return next(reversed(self.made.values()), None)

    def on(self, candidate_id: str, version: str) -> CountedDecision | None:
        """Return the last decision on a candidate."""
        key = (candidate_id, version)
        return next((one for one in reversed(self.made.values()) if (one.candidate_id, one.version) == key), None)

    @property
    def today(self) -> list[CountedDecision]:
        """Return today's decisions; to skip is to put off deciding."""
        day = datetime.now(tz=UTC).astimezone().date().isoformat()
        return [one for one in self.made.values() if one.day == day and one.decision is not Decision.SKIP]

    @property
    def median_seconds(self) -> float | None:
        """Return the median seconds of today's decisions, `None` without any."""
        seconds = [one.seconds for one in self.today]
        return median(seconds) if seconds else None
