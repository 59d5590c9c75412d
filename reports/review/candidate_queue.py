"""The order in which candidates are given to reviewers, by stratum, progress and plausibility."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field
from typing import Self

from harness.records.provenance import ConfidenceThresholds
from harness.records.review import CandidateTexts
from reports.review.candidates import Candidate, Candidates, Stratum, storable, tie_of
from reports.review.review_state import (
    Lease,
    ReviewPlan,
    ReviewState,
    candidate_status,
    has_judged,
    plan_of,
    release_in,
)

_FITS = """
    AND (:operators IS NULL OR c.operator IN (SELECT value FROM json_each(:operators)))
    AND (:needs_edit IS NULL OR c.needs_edit = :needs_edit)
    AND (:problem = '' OR instr(lower(c.problem_id), :problem))
    -- What is not recorded reaches only thresholds that ask nothing.
    AND (:clique <= 1 OR c.clique >= :clique)
    AND (:confidence <= 0 OR c.confidence >= :confidence)
    AND (:p_right <= 0 OR c.p_right >= :p_right)
    AND NOT EXISTS (
        SELECT 1 FROM leases AS l
        WHERE l.candidate_id = c.candidate_id AND l.until > :now AND (l.reviewer, l.session) IS NOT (:reviewer, :session)
    )
    -- Fewer reviewers than needed have judged it, or the decisions are tied.
    AND (
        SELECT count(*) < 1 + (c.draw < :share) OR 2 * sum(s.decision = 'accept') = count(*)
        FROM standing AS s
        WHERE s.candidate_id = c.candidate_id AND s.version = c.version AND s.decision != 'skip'
    )
"""
_NEXT = f"""
SELECT c.candidate_id, c.version FROM temp.candidates AS c
WHERE c.stratum = :stratum
    AND NOT EXISTS (
        SELECT 1 FROM standing AS own
        WHERE own.candidate_id = c.candidate_id AND own.version = c.version AND own.reviewer = :reviewer
    ) {_FITS}
ORDER BY c.plausibility DESC, c.tie LIMIT 1
"""  # noqa: S608  # put together from literals
_SKIPPED = f"""
SELECT c.candidate_id, c.version FROM standing AS own
JOIN temp.candidates AS c ON c.candidate_id = own.candidate_id AND c.version = own.version
WHERE own.reviewer = :reviewer AND own.decision = 'skip'
    AND c.stratum IN (SELECT value FROM json_each(:strata)) {_FITS}
ORDER BY own.number LIMIT 1
"""  # noqa: S608  # put together from literals
# A cross join is taken in the order it is written: SQLite would walk through all candidates otherwise.
_JUDGED = """
SELECT c.stratum, 1 + (c.draw < ?) AS needed, sum(s.decision = 'accept') AS accepts,
    sum(s.decision = 'reject') AS rejects, sum(s.decision = 'skip') AS skips
FROM standing AS s CROSS JOIN temp.candidates AS c ON c.candidate_id = s.candidate_id AND c.version = s.version
GROUP BY s.candidate_id
"""


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

    def keep(self, stratum: Stratum) -> bool:
        """Tell whether candidates of a stratum pass the filters."""
        return (
            (not self.tiers or stratum.tier in self.tiers)
            and (not self.positions or stratum.position in self.positions)
            and (not self.error_types or stratum.error_type in self.error_types)
        )


@dataclass(frozen=True, slots=True)
class StratumProgress:
    """Progress of a stratum: `target` of its `total` candidates are to be accepted, `counts` are those judged by status.

    `disputed` candidates need a third reviewer, `awaiting` candidates the second of two; `skipped` candidates are not judged yet.
    `number` is that of the stratum in the pool, `tie` orders strata that are equally far from their targets.
    """

    number: int
    stratum: Stratum
    total: int
    tie: int
    target: int
    counts: Counter[str]

    def __getitem__(self, status: str) -> int:
        """Return the number of judged candidates of a status."""
        return self.counts[status]

    @property
    def place(self) -> tuple[float, int, int]:
        """Return its place in the order: the farthest from the target first, then the least judged."""
        return self["accepted"] / self.target, self.counts.total(), self.tie

    @property
    def is_open(self) -> bool:
        """Tell whether candidates of it are left."""
        return self["accepted"] + self["rejected"] < self.total


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """Progress of a review: the candidates that are accepted, of these those that count for the targets, and the sum of the targets."""

    accepted: int
    counted: int
    wanted: int
    awaiting: int
    disputed: int
    double: float

    @classmethod
    def of(cls, strata: Iterable[StratumProgress], plan: ReviewPlan) -> Self:
        """Return the sum of some strata."""
        own = list(strata)
        counted = sum(min(stratum["accepted"], stratum.target) for stratum in own)
        sums = {status: sum(stratum[status] for stratum in own) for status in ("accepted", "awaiting", "disputed")}
        return cls(counted=counted, wanted=sum(stratum.target for stratum in own), double=plan.double, **sums)

    def __str__(self) -> str:
        """Write the progress: `3 of 40 wanted are accepted; of 20% two reviewers judge: 1 awaits the second, 0 a third`."""
        beyond = (
            f", {self.accepted - self.counted:,} more in strata that are full" if self.accepted > self.counted else ""
        )
        said = f"{self.counted:,} of {self.wanted:,} wanted candidates are accepted{beyond}"
        if not self.double:
            return said
        return f"{said}; {self.double:.0%} count when two reviewers have judged them: {self.awaiting:,} accepted or rejected by one of two, {self.disputed:,} judged differently"


@dataclass(frozen=True, slots=True)
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
        with self.state.changing(self.candidates) as sql:
            chosen = self._held(sql, reviewer, session) or self._choose(
                sql, reviewer, session, filters or QueueFilters()
            )
            lease = None if chosen is None else self.state.take(sql, *chosen, reviewer, session)
        return None if lease is None else self._taken(lease)

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
            if has_judged(sql, candidate.candidate_id, candidate.version, reviewer):
                return None
            lease = self.state.take(sql, candidate.candidate_id, candidate.version, reviewer, session)
        return None if lease is None else self._taken(lease)

    def progress(self) -> list[StratumProgress]:
        """Return the progress of the strata, in order."""
        with self.state.reading(self.candidates) as sql:
            return sorted(self._strata(sql, plan_of(sql)), key=lambda own: own.stratum)

    def _taken(self, lease: Lease) -> LeasedCandidate:
        candidate = self.candidates.get(lease.candidate_id)
        draft = self.state.draft(lease.candidate_id, lease.version, lease.reviewer)
        return LeasedCandidate(candidate, lease, draft or CandidateTexts.of_record(candidate.record))

    def _held(self, sql: sqlite3.Connection, reviewer: str, session: str) -> tuple[str, str] | None:
        """Return the candidate that a session holds, if it is still to be judged."""
        held = self.state.held_in(sql, reviewer, session)
        if held is None or has_judged(sql, held.candidate_id, held.version, reviewer):
            return None
        query = "SELECT candidate_id, version FROM temp.candidates WHERE candidate_id = ? AND version = ?"
        row = sql.execute(query, (held.candidate_id, held.version)).fetchone()
        return None if row is None else tuple(row)

    def _choose(
        self, sql: sqlite3.Connection, reviewer: str, session: str, filters: QueueFilters
    ) -> tuple[str, str] | None:
        plan = plan_of(sql)
        wanted = [own for own in self._strata(sql, plan) if filters.keep(own.stratum)]
        values = {
            "reviewer": reviewer,
            "session": session,
            "now": self.state.clock(),
            "share": plan.double,
            "operators": json.dumps(filters.operators) if filters.operators else None,
            "needs_edit": filters.needs_edit,
            "problem": storable(filters.problem).lower(),
            "clique": filters.support.clique,
            "confidence": filters.support.confidence,
            "p_right": filters.support.p_right,
            "strata": json.dumps([own.number for own in wanted]),
        }
        ordered = sorted((own for own in wanted if own.is_open), key=lambda own: own.place)
        for query, stratum in [*((_NEXT, own.number) for own in ordered), (_SKIPPED, None)]:
            row = sql.execute(query, {**values, "stratum": stratum}).fetchone()
            if row is not None:
                return tuple(row)
        return None

    def _strata(self, sql: sqlite3.Connection, plan: ReviewPlan) -> list[StratumProgress]:
        """Return the strata with the number of judged candidates of each status."""
        counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for row in sql.execute(_JUDGED, (plan.double,)):
            judged = {name: row[name] for name in ("accepts", "rejects", "skips", "needed")}
            counts[row["stratum"]][candidate_status(**judged)] += 1
        return [
            StratumProgress(
                number, own, total, tie_of("\n".join(astuple(own))), min(plan.target or total, total), counts[number]
            )
            for number, (own, total) in enumerate(self.candidates.strata.items())
        ]
