"""Export of the decisions in force as the sealed stage `review`, after a re-check of each accepted label.

A seal is a snapshot: it replaces the previous one, and the review state is only read.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.records.review import Decision, DecisionLine
from harness.stages import REVIEW
from harness.store.content_digest import with_digest
from harness.store.run_folder import RunFolder, dump, sha256_of
from oracles.proofs.solvers import Solver, SolverName, open_solver
from reports.review.accepted import decision_form, review_form, reviewed_record
from reports.review.candidates import Candidate, Candidates
from reports.review.review_state import CandidateStatus, ReviewPlan, ReviewState, candidate_status

FILES = {
    "accepted": "accepted.jsonl",
    "overridden": "overridden.jsonl",
    "rejected": "rejected.jsonl",
    "disputed": "disputed.jsonl",
}
"""The files of the stage, by the count of their records."""
COUNTS = {
    "accepted": "accepted, each proved again",
    "overridden": "accepted without a proof, kept in overridden.jsonl",
    "rejected": "rejected",
    "disputed": "disputed, until a third reviewer decides",
    "awaiting": "judged by one of two reviewers",
    "skipped": "skipped",
    "other_version": "decided in another version",
    "absent": "decided and not among these candidates",
}
"""The counts of a seal, with what each says of a candidate."""


@dataclass(slots=True)
class Seal:
    """What a seal holds: the lines of its `FILES`, its `COUNTS`, and the reasons of labels without a proof."""

    solver: Solver
    lines: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    counts: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(COUNTS, 0)))
    reasons: Counter[str] = field(default_factory=Counter)

    def put(self, name: str, record: Mapping[str, Any]) -> None:
        """Add a record to the file of a count."""
        self.lines[name].append(dump(with_digest(record)))
        self.counts[name] += 1

    def add(self, candidate: Candidate, entries: Sequence[DecisionLine], plan: ReviewPlan) -> None:
        """Add a candidate to the file of its status; the first of several accepted texts counts."""
        made = Counter(entry.decision for entry in entries)
        counts = {"accepts": made[Decision.ACCEPT], "rejects": made[Decision.REJECT], "skips": made[Decision.SKIP]}
        status = candidate_status(**counts, needed=2 if candidate.draw < plan.double else 1)
        if status is CandidateStatus.ACCEPTED:
            record, reason = reviewed_record(candidate, entries, self.solver)
            self.reasons.update([reason] if reason else [])
            self.put("overridden" if reason else "accepted", record)
        elif status is CandidateStatus.REJECTED:
            decided = next(entry for entry in entries if entry.decision is Decision.REJECT)
            self.put("rejected", {**candidate.record, "review": review_form(candidate, decided, entries)})
        elif status is CandidateStatus.DISPUTED:
            review = {"version": candidate.version, "decisions": list(map(decision_form, entries))}
            self.put("disputed", {**candidate.record, "review": review})
        else:
            self.counts[str(status)] += 1


def seal(run: RunFolder, candidates: Candidates, state: ReviewState) -> Seal:
    """Seal the stage `review` of a run from the decisions in force.

    A label that the re-check does not confirm goes to `overridden.jsonl`, for any reason that a person gave.
    Raises a HarnessError if the state or a file of candidates cannot be read; an OSError if the folder cannot be written.
    """
    plan, sealed = state.plan, Seal(open_solver(SolverName.Z3))
    by_candidate: defaultdict[str, list[DecisionLine]] = defaultdict(list)
    for entry in state.standing():
        by_candidate[entry.candidate_id].append(entry)
    for candidate_id, entries in sorted(by_candidate.items()):
        candidate = candidates.find(candidate_id)
        current = [] if candidate is None else [entry for entry in entries if entry.version == candidate.version]
        if candidate is None or not current:
            sealed.counts["absent" if candidate is None else "other_version"] += 1
        else:
            sealed.add(candidate, current, plan)
    manifest = {
        "plan": {"target": plan.target, "double": plan.double},
        "solver": str(SolverName.Z3),
        "sources": {path.name: sha256_of(path) for path in candidates.files},
        "counts": dict(sealed.counts),
    }
    run.stage(REVIEW).seal({file: sealed.lines[name] for name, file in FILES.items()}, manifest)
    return sealed
