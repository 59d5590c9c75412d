"""Export of the decisions in force as the sealed stage `review`, after a re-check of each accepted label.

A seal is a snapshot: it replaces the previous one, and the review state is only read.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.domain import Status
from harness.json_form import json_form
from harness.records.content_digest import with_digest
from harness.records.review import CandidateTexts, Decision, DecisionLine, ExampleLine
from harness.stages import REVIEW
from harness.store.run_folder import RunFolder, dump
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import Solver, SolverName, open_solver
from reports.review.candidate_view import edited_record
from reports.review.candidates.candidates import Candidate, Candidates
from reports.review.state.decisions import CandidateStatus, ReviewPlan, candidate_status
from reports.review.state.examples import audited_label, examples_in_force
from reports.review.state.review_state import ReviewState

ACCEPTED, OVERRIDDEN, REJECTED, DISPUTED = (
    f"{name}.jsonl" for name in ("accepted", "overridden", "rejected", "disputed")
)
ID_DIGITS = 16
DISAGREE = "reviewers label it differently"
REFUTED = "the audit refutes the label"
EXAMPLES, SET_ASIDE = "examples.jsonl", "examples_set_aside.jsonl"


@dataclass(frozen=True, slots=True)
class SealCounts:
    """The number of candidates in each file of the stage, and of the candidates in no file.

    `awaiting` candidates lack the second of two reviewers; `other_version` candidates were decided in another version,
    `absent` candidates are not in the files, `skipped` candidates were only skipped. `examples` were labelled on the Verify page;
    `set_aside` are those whose label the audit refutes or reviewers contradict.
    """

    accepted: int
    overridden: int
    rejected: int
    disputed: int
    awaiting: int
    skipped: int
    other_version: int
    absent: int
    examples: int
    set_aside: int
    reasons: Mapping[str, int]


@dataclass(slots=True)
class _Files:
    solver: Solver
    lines: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, candidate: Candidate, entries: Sequence[DecisionLine], status: CandidateStatus) -> None:
        """Add a candidate to the file of its status."""
        if status is CandidateStatus.ACCEPTED:
            self._accept(candidate, entries)
        elif status is CandidateStatus.REJECTED:
            decided = _first(entries, Decision.REJECT)
            self._put(REJECTED, {**candidate.record, "review": _review(candidate, decided, entries)})
        elif status is CandidateStatus.DISPUTED:
            review = {"version": candidate.version, "decisions": [_said(entry) for entry in entries]}
            self._put(DISPUTED, {**candidate.record, "review": review})
        else:
            self.counts[str(status)] += 1

    def _accept(self, candidate: Candidate, entries: Sequence[DecisionLine]) -> None:
        """Add an accepted candidate to the file that its re-check decides; the first of several accepted texts counts."""
        decided = _first(entries, Decision.ACCEPT)
        record = edited_record(candidate.record, decided.texts)
        review = _review(candidate, decided, entries)
        result = check_record(record, self.solver)
        if result.status is Status.CONFIRMED:
            self._put(ACCEPTED, {**record, "review": review})
            return
        reason = result.reason or "not confirmed"
        self.reasons[reason] += 1
        recheck_result = {"status": result.status.name, "reason": reason}
        self._put(OVERRIDDEN, {**record, "review": {**review, "recheck": recheck_result}})

    def _put(self, name: str, record: Mapping[str, Any]) -> None:
        self.lines[name].append(dump(with_digest(record)))
        self.counts[name.removesuffix(".jsonl")] += 1


def seal(run: RunFolder, candidates: Candidates | None, state: ReviewState) -> SealCounts:
    """Seal the stage `review` of a run from the decisions in force.

    A label that the re-check does not confirm goes to `overridden.jsonl`, for any reason that a person gave. Examples
    carry no proof: they stand in a file of their own. A run without candidates can be given `None` where nobody decided
    on one.

    Raises:
        HarnessError: the state or a file of candidates cannot be read.
        OSError: the folder cannot be written.
    """
    plan = state.plan
    files = _Files(open_solver(SolverName.Z3))
    by_candidate: defaultdict[str, list[DecisionLine]] = defaultdict(list)
    for entry in state.standing():
        by_candidate[entry.candidate_id].append(entry)
    for candidate_id, entries in sorted(by_candidate.items()):
        candidate = None if candidates is None else candidates.find(candidate_id)
        if candidate is None:
            files.counts["absent"] += 1
            continue
        current = [entry for entry in entries if entry.version == candidate.version]
        if not current:
            files.counts["other_version"] += 1
            continue
        files.add(candidate, current, _standing(current, candidate, plan))
    labelled = sealed_examples(examples_in_force(state))
    for name, records in labelled.items():
        files.lines[name] += (dump(with_digest(record)) for record in records)
    files.counts.update(examples=len(labelled[EXAMPLES]), set_aside=len(labelled[SET_ASIDE]))
    counts = {name: files.counts[name] for name in SealCounts.__slots__ if name != "reasons"}
    manifest = {
        "plan": {"target": plan.target, "double": plan.double},
        "solver": str(SolverName.Z3),
        "sources": {path.name: _digest(path) for path in (() if candidates is None else candidates.files)},
        "counts": counts,
    }
    names = (ACCEPTED, OVERRIDDEN, REJECTED, DISPUTED, EXAMPLES, SET_ASIDE)
    run.stage(REVIEW).seal({name: files.lines[name] for name in names}, manifest)
    return SealCounts(**counts, reasons=dict(files.reasons.most_common()))


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _standing(entries: Sequence[DecisionLine], candidate: Candidate, plan: ReviewPlan) -> CandidateStatus:
    decisions = Counter(entry.decision for entry in entries)
    return candidate_status(
        accepts=decisions[Decision.ACCEPT],
        rejects=decisions[Decision.REJECT],
        skips=decisions[Decision.SKIP],
        needed=2 if candidate.draw < plan.double else 1,
    )


def _first(entries: Sequence[DecisionLine], decision: Decision) -> DecisionLine:
    return next(entry for entry in entries if entry.decision is decision)


def _review(candidate: Candidate, decided: DecisionLine, entries: Sequence[DecisionLine]) -> dict[str, Any]:
    """Return the review of a sealed record: its deciding decision, and all decisions in force."""
    original = CandidateTexts.of_record(candidate.record)
    return {
        "version": candidate.version,
        **_said(decided),
        "edited": decided.texts != original,
        "original": json_form(original),
        "decisions": [_said(entry) for entry in entries],
    }


def _said(entry: DecisionLine) -> dict[str, Any]:
    return {
        "reviewer": entry.reviewer,
        "decision": str(entry.decision),
        "texts": json_form(entry.texts),
        "findings": [dict(finding) for finding in entry.findings],
        "override": entry.override,
        "reason": None if entry.reason is None else str(entry.reason),
        "note": entry.note,
        "seconds": round(entry.seconds, 1),
        "decided_at": entry.at,
    }


def sealed_examples(entries: Iterable[ExampleLine]) -> dict[str, list[dict[str, Any]]]:
    """Return the records of both files of examples: a label that the audit refutes, or that reviewers contradict, is set aside.

    The records that are set aside hold the reason in `review.aside`.
    """
    by_text: defaultdict[tuple[str, str], list[ExampleLine]] = defaultdict(list)
    for entry in entries:
        by_text[entry.question, entry.solution].append(entry)
    records: dict[str, list[dict[str, Any]]] = {EXAMPLES: [], SET_ASIDE: []}
    for _, same in sorted(by_text.items()):
        reason = _aside(same)
        records[SET_ASIDE if reason else EXAMPLES].append(_example_record(same, reason))
    return records


def _aside(same: list[ExampleLine]) -> str:
    """Return why the examples of one text are set aside, empty if they are not."""
    if len({(entry.label.verdict, entry.label.error_type, entry.label.line) for entry in same}) > 1:
        return DISAGREE
    verdict = audited_label(same[0].record())
    return f"{REFUTED}: {verdict.reason}" if verdict.status is Status.REFUTED else ""


def _example_record(same: list[ExampleLine], reason: str) -> dict[str, Any]:
    first = same[0]
    review = {
        "aside": reason,
        "labels": [
            {
                "reviewer": entry.reviewer,
                "label": entry.label.record(),
                "judged": json_form(entry.judged),
                "override": entry.override,
                "decided_at": entry.at,
            }
            for entry in same
        ],
    }
    return {
        "example_id": f"example-{_text_digest(first.question, first.solution)}",
        "problem_id": f"pasted-{_text_digest(' '.join(first.question.split()))}",
        **first.record(),
        "review": review,
    }


def _text_digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "backslashreplace")).hexdigest()[:ID_DIGITS]
