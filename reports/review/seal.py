"""Export of the decisions in force as the sealed stage `review`, after a re-check of each accepted label.

A seal is a snapshot: it replaces the previous one, and the review state is only read.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.domain import Status
from harness.json_form import json_form
from harness.records.review import Decision, DecisionLine, ExampleLine
from harness.stages import REVIEW
from harness.store.content_digest import with_digest
from harness.store.run_folder import RunFolder, dump, sha256_of
from oracles.proofs.solvers import Solver, SolverName, open_solver
from reports.review.accepted import decision_form, review_form, reviewed_record
from reports.review.candidates import Candidate, Candidates
from reports.review.examples import audited_label, examples_in_force
from reports.review.review_state import CandidateStatus, ReviewPlan, ReviewState, candidate_status

FILES = {
    "accepted": "accepted.jsonl",
    "overridden": "overridden.jsonl",
    "rejected": "rejected.jsonl",
    "disputed": "disputed.jsonl",
    "examples": "examples.jsonl",
    "set_aside": "examples_set_aside.jsonl",
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
    "examples": "labelled on the Verify page",
    "set_aside": "labelled there and set aside: the audit refutes the label, or reviewers differ",
}
"""The counts of a seal, with what each says of a candidate or an example."""
ID_DIGITS = 16
DISAGREE = "reviewers label it differently"
REFUTED = "the audit refutes the label"


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


def seal(run: RunFolder, candidates: Candidates | None, state: ReviewState) -> Seal:
    """Seal the stage `review` of a run from the decisions in force.

    A label that the re-check does not confirm goes to `overridden.jsonl`, for any reason that a person gave. Examples
    carry no proof: they stand in a file of their own. A run without candidates can be given `None` where nobody decided
    on one. Raises a HarnessError if the state or a file of candidates cannot be read; an OSError if the folder cannot be written.
    """
    plan, sealed = state.plan, Seal(open_solver(SolverName.Z3))
    by_candidate: defaultdict[str, list[DecisionLine]] = defaultdict(list)
    for entry in state.standing():
        by_candidate[entry.candidate_id].append(entry)
    for candidate_id, entries in sorted(by_candidate.items()):
        candidate = None if candidates is None else candidates.find(candidate_id)
        current = [] if candidate is None else [entry for entry in entries if entry.version == candidate.version]
        if candidate is None or not current:
            sealed.counts["absent" if candidate is None else "other_version"] += 1
        else:
            sealed.add(candidate, current, plan)
    for name, records in sealed_examples(examples_in_force(state)).items():
        for record in records:
            sealed.put(name, record)
    manifest = {
        "plan": {"target": plan.target, "double": plan.double},
        "solver": str(SolverName.Z3),
        "sources": {path.name: sha256_of(path) for path in (() if candidates is None else candidates.files)},
        "counts": dict(sealed.counts),
    }
    run.stage(REVIEW).seal({file: sealed.lines[name] for name, file in FILES.items()}, manifest)
    return sealed


def sealed_examples(entries: Iterable[ExampleLine]) -> dict[str, list[dict[str, Any]]]:
    """Return the records of both files of examples: a label that the audit refutes, or that reviewers contradict, is set aside.

    The records that are set aside hold the reason in `review.aside`.
    """
    by_text: defaultdict[tuple[str, str], list[ExampleLine]] = defaultdict(list)
    for entry in entries:
        by_text[entry.question, entry.solution].append(entry)
    records: dict[str, list[dict[str, Any]]] = {"examples": [], "set_aside": []}
    for (question, solution), same in sorted(by_text.items()):
        reason = _aside(same)
        labels = [
            {
                "reviewer": entry.reviewer,
                "label": entry.label.record(),
                "judged": json_form(entry.judged),
                "override": entry.override,
                "decided_at": entry.at,
            }
            for entry in same
        ]
        record = {
            "example_id": f"example-{_text_digest(question, solution)}",
            "problem_id": f"pasted-{_text_digest(' '.join(question.split()))}",
            **same[0].record(),
            "review": {"aside": reason, "labels": labels},
        }
        records["set_aside" if reason else "examples"].append(record)
    return records


def _aside(same: list[ExampleLine]) -> str:
    """Return why the examples of one text are set aside, empty if they are not."""
    if len({(entry.label.verdict, entry.label.error_type, entry.label.line) for entry in same}) > 1:
        return DISAGREE
    verdict = audited_label(same[0].record())
    return f"{REFUTED}: {verdict.reason}" if verdict.status is Status.REFUTED else ""


def _text_digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "backslashreplace")).hexdigest()[:ID_DIGITS]
