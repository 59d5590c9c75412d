"""Which candidate comes next?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.review.candidates import Candidate, Candidates, Texts
    from reports.review.state import Lease, Plan, Progress, ReviewState


@dataclass(frozen=True, slots=True)
class Filters:
    """Which candidates a reviewer wants; what is empty, or `None`, keeps all. `problem` is any part of a problem's id."""

    tiers: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    error_types: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    needs_edit: bool | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """A candidate with its lease, and the texts to show: the reviewer's draft, or what it came with."""

    candidate: Candidate
    lease: Lease
    texts: Texts


class Queue:
    """The candidates in the order in which they are asked: those of the stratum farthest from its target, most plausible first."""

    def __init__(self, candidates: Candidates, state: ReviewState, plan: Plan | None = None) -> None:
        raise NotImplementedError

    def next(self, reviewer: str, session: str, filters: Filters | None = None) -> Taken | None:
        """Lease the next candidate to a session, the one it holds if it holds one; `None` where none is left."""
        raise NotImplementedError

    def take(self, candidate_id: str, reviewer: str, session: str) -> Taken | None:
        """Lease a candidate by its id; `None` where somebody else holds it."""
        raise NotImplementedError

    def progress(self, filters: Filters | None = None) -> list[Progress]:
        """Return how far each stratum is."""
        raise NotImplementedError
