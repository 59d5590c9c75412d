"""The order in which candidates are given to reviewers, by stratum, progress and plausibility."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Self

from harness.records.provenance import ConfidenceThresholds
from harness.records.review import CandidateTexts
from harness.text.characters import storable
from reports.review.candidates import COLUMNS, Candidate, Candidates, Stratum, tie_of
from reports.review.review_state import (
    CandidateStatus,
    Lease,
    ReviewPlan,
    ReviewState,
    has_judged,
    key_of,
    plan_of,
    release_in,
    status_of,
)

SETTLED = {CandidateStatus.ACCEPTED, CandidateStatus.REJECTED}
Decisions = Mapping[str, Mapping[str, str]]
"""The decisions in force on the candidates of a queue, in their present versions, by candidate and reviewer."""


@dataclass(frozen=True, slots=True)
class QueueFilters:
    """A reviewer's filters; an empty filter or `None` keeps all candidates.

    `problem` is a part of a problem's id; `support` is what the oracle of a candidate must reach.
    """

    tiers: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    error_types: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    needs_edit: bool | None = None
    problem: str = ""
    support: ConfidenceThresholds = field(default_factory=ConfidenceThresholds)

    def keep(self, candidate: Candidate) -> bool:
        """Tell whether a candidate passes the filters."""
        kept = (self.tiers, self.positions, self.error_types, self.operators)
        own = (getattr(candidate, column) for column in COLUMNS)
        return (
            all(not values or value in values for values, value in zip(kept, own, strict=True))
            and self.needs_edit in {None, candidate.needs_edit}
            and storable(self.problem).lower() in candidate.problem_id.lower()
            and self.support.reached_by(candidate.provenance)
        )


@dataclass(frozen=True, slots=True)
class StratumProgress:
    """Progress of a stratum: `target` of its `total` candidates are to be accepted, `counts` are those judged by status.

    `disputed` candidates need a third reviewer, `awaiting` candidates the second of two; `skipped` candidates are not judged yet.
    """

    stratum: Stratum
    total: int
    target: int
    counts: Counter[str]

    def __getitem__(self, status: str) -> int:
        """Return the number of judged candidates of a status."""
        return self.counts[status]

    @property
    def place(self) -> tuple[float, int, int]:
        """Return its place in the order: the farthest from the target first, then the least judged."""
        return self["accepted"] / self.target, self.counts.total(), tie_of("\n".join(astuple(self.stratum)))


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """Progress of a review: the accepted candidates that count for the targets, the sum of the targets, and all of it in a `sentence`."""

    counted: int
    wanted: int
    sentence: str

    @classmethod
    def of(cls, strata: Sequence[StratumProgress], plan: ReviewPlan) -> Self:
        """Return the sum of some strata: `3 of 40 wanted candidates are accepted; 20% count when two reviewers have judged them: …`."""
        counted, wanted = sum(min(own["accepted"], own.target) for own in strata), sum(own.target for own in strata)
        statuses = ("accepted", "awaiting", "disputed")
        accepted, awaiting, disputed = (sum(own[status] for own in strata) for status in statuses)
        sentence = f"{counted:,} of {wanted:,} wanted candidates are accepted"
        if accepted > counted:
            sentence += f", {accepted - counted:,} more in strata that are full"
        if plan.double:
            sentence += f"; {plan.double:.0%} count when two reviewers have judged them: {awaiting:,} accepted or rejected by one of two, {disputed:,} judged differently"
        return cls(counted, wanted, sentence)


@dataclass(slots=True)
class LeasedCandidate:
    """A candidate with its lease, and the texts to show: the reviewer's draft, else the candidate's own texts."""

    candidate: Candidate
    lease: Lease
    texts: CandidateTexts


@dataclass(slots=True)
class CandidateQueue:
    """The order of the candidates: the stratum farthest from its target first, then the most plausible candidate.

    Strata at the same distance take turns; candidates that a reviewer skipped come last. Any thread may use a queue.
    """

    candidates: Candidates
    state: ReviewState

    def next(self, reviewer: str, session: str, filters: QueueFilters | None = None) -> LeasedCandidate | None:
        """Lease the next candidate to a session, or return the one it holds; `None` if none is left.

        Raises a HarnessError if a name is invalid, the state cannot be written, or the files were changed.
        """
        with self.state.changing() as sql:
            chosen = self._held(sql, reviewer, session)
            chosen = chosen or self._choose(sql, reviewer, session, filters or QueueFilters())
            lease = None if chosen is None else self.state.take(sql, *chosen.key, reviewer, session)
        return self._taken(lease)

    def take(
        self, candidate_id: str, reviewer: str, session: str, *, held: Lease | None = None
    ) -> LeasedCandidate | None:
        """Lease a candidate by its id; `None` if another session holds it or the reviewer has judged it.

        A lease `held` by another session of the reviewer is released in the same transaction.
        Raises a HarnessError if there is no candidate with this id, or as in `next`.
        """
        candidate = self.candidates.get(candidate_id)
        with self.state.changing() as sql:
            if held is not None:
                release_in(sql, held)
            if has_judged(sql, (*candidate.key, reviewer)):
                return None
            lease = self.state.take(sql, *candidate.key, reviewer, session)
        return self._taken(lease)

    def progress(self) -> list[StratumProgress]:
        """Return the progress of the strata, in order."""
        with self.state.reading() as sql:
            return sorted(self._strata(self._decisions(sql), plan_of(sql)), key=lambda own: own.stratum)

    def _taken(self, lease: Lease | None) -> LeasedCandidate | None:
        if lease is None:
            return None
        candidate, draft = self.candidates.get(lease.candidate_id), self.state.draft(key_of(lease))
        return LeasedCandidate(candidate, lease, draft or CandidateTexts.of_record(candidate.record))

    def _held(self, sql: sqlite3.Connection, reviewer: str, session: str) -> Candidate | None:
        """Return the candidate that a session holds, if it is still to be judged."""
        held = self.state.held_in(sql, reviewer, session)
        if held is None or has_judged(sql, key_of(held)):
            return None
        return self.candidates.current(held.candidate_id, held.version)

    def _choose(self, sql: sqlite3.Connection, reviewer: str, session: str, filters: QueueFilters) -> Candidate | None:
        """Return the most plausible candidate that fits of the stratum farthest from its target, else the one skipped first."""
        plan, decisions = plan_of(sql), self._decisions(sql)
        query = "SELECT candidate_id FROM leases WHERE until > ? AND (reviewer, session) IS NOT (?, ?)"
        leased = {row["candidate_id"] for row in sql.execute(query, (self.state.clock(), reviewer, session))}

        def fits(candidate: Candidate) -> bool:
            status = status_of(candidate, decisions.get(candidate.candidate_id, {}).values(), plan)
            return candidate.candidate_id not in leased and status not in SETTLED and filters.keep(candidate)

        open_strata = (own for own in self._strata(decisions, plan) if own["accepted"] + own["rejected"] < own.total)
        for own in sorted(open_strata, key=lambda own: own.place):
            for candidate in self.candidates.strata[own.stratum]:
                if reviewer not in decisions.get(candidate.candidate_id, {}) and fits(candidate):
                    return candidate
        query = "SELECT candidate_id FROM standing WHERE reviewer = ? AND decision = 'skip' ORDER BY number"
        skipped = [row["candidate_id"] for row in sql.execute(query, (reviewer,))]
        candidates = (self.candidates.by_id[name] for name in skipped if reviewer in decisions.get(name, {}))
        return next(filter(fits, candidates), None)

    def _decisions(self, sql: sqlite3.Connection) -> Decisions:
        decisions: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for row in sql.execute("SELECT candidate_id, version, reviewer, decision FROM standing"):
            candidate = self.candidates.current(row["candidate_id"], row["version"])
            if candidate is not None:
                decisions[candidate.candidate_id][row["reviewer"]] = row["decision"]
        return decisions

    def _strata(self, decisions: Decisions, plan: ReviewPlan) -> list[StratumProgress]:
        counts: defaultdict[Stratum, Counter[str]] = defaultdict(Counter)
        for candidate_id, own in decisions.items():
            candidate = self.candidates.by_id[candidate_id]
            counts[candidate.stratum][status_of(candidate, own.values(), plan)] += 1
        return [
            StratumProgress(stratum, len(own), min(plan.target or len(own), len(own)), counts[stratum])
            for stratum, own in self.candidates.strata.items()
        ]
