"""Training records of a review: those of accepted candidates in a file beside the state, and the sealed stage `review`.

The file is written as soon as a reviewer accepts. A seal is a snapshot of all decisions in force, which replaces the previous one.
Both prove each accepted label again, and only read the review state.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock

from harness.domain import Status
from harness.json_form import json_form, with_digest
from harness.records.review import CandidateTexts, Decision, DecisionLine, ExampleLine
from harness.stages import REVIEW
from harness.store.run_folder import RunFolder, dump, sha256_of, write_atomically, writing
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import Solver, SolverName, open_solver
from reports.review.candidate_view import edited_record
from reports.review.candidates import Candidate, Candidates
from reports.review.examples import audited_label, examples_in_force
from reports.review.review_state import CandidateStatus, ReviewPlan, ReviewState, status_of

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

Record = dict[str, Any]


def accepted_file(state: Path) -> Path:
    """Return the file of the training records of a state: `reviews/review.accepted.jsonl` of `reviews/review.sqlite`."""
    return state.with_name(f"{state.stem}.accepted.jsonl")


def note_decision(candidates: Candidates, state: ReviewState, entry: DecisionLine) -> str:
    """Write what a decision, or the undo of one, changes in the file; return why the accepted label has no proof, empty where it has one.

    Errors as in `write_accepted`.
    """
    alone = len(state.standing(entry.candidate_id)) == 1
    if entry.decision is not Decision.ACCEPT or entry.undoes is not None or not alone:
        return write_accepted(candidates, state).get(entry.candidate_id, "")
    record, reason = reviewed_record(candidates.get(entry.candidate_id), [entry], open_solver(SolverName.Z3))
    if not reason:
        path = accepted_file(state.path)
        with writing(path), FileLock(path.with_suffix(".lock")), path.open("ab") as file:
            file.write(f"{dump(with_digest(record))}\n".encode())
    return reason


def write_accepted(candidates: Candidates, state: ReviewState) -> dict[str, str]:
    """Write the record of each candidate that more reviewers accept than reject; return why others of these have no proof, by id.

    Records of candidates that are not open here are kept as they stand in the file.
    Raises a HarnessError if the state or a file of candidates cannot be read, or the file cannot be written.
    """
    path, solver = accepted_file(state.path), open_solver(SolverName.Z3)
    by_candidate: defaultdict[tuple[str, str], list[DecisionLine]] = defaultdict(list)
    lines: list[str] = []
    unproved: dict[str, str] = {}
    with writing(path), FileLock(path.with_suffix(".lock")):
        known = _records_by_decision(path)
        for entry in state.standing():
            by_candidate[entry.candidate_id, entry.version].append(entry)
        for (candidate_id, version), entries in by_candidate.items():
            made = Counter(entry.decision for entry in entries)
            if made[Decision.ACCEPT] <= made[Decision.REJECT]:
                continue
            decided = accepting(entries)
            if decided.uid not in known:
                candidate = candidates.find(candidate_id)
                if candidate is None or candidate.version != version:
                    continue
                record, reason = reviewed_record(candidate, [decided], solver)
                if reason:
                    unproved[candidate_id] = reason
                    continue
                known[decided.uid] = dump(with_digest(record))
            lines.append(known[decided.uid])
        if lines or path.exists():
            write_atomically(path, "".join(f"{line}\n" for line in lines))
    return unproved


def _records_by_decision(path: Path) -> dict[str, str]:
    """Return the records of the file by the decision that accepted them; a line that was cut off is made again."""
    known = {}
    for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else ():
        with suppress(ValueError, KeyError, TypeError):
            known[json.loads(line)["review"]["uid"]] = line
    return known


def accepting(entries: Sequence[DecisionLine]) -> DecisionLine:
    """Return the decision whose texts count: the first that accepts."""
    return next(entry for entry in entries if entry.decision is Decision.ACCEPT)


def reviewed_record(candidate: Candidate, entries: Sequence[DecisionLine], solver: Solver) -> tuple[Record, str]:
    """Return the record of an accepted candidate with its `review`, and why its label is not proved again, empty where it is."""
    decided = accepting(entries)
    record = edited_record(candidate.record, decided.texts)
    result = check_record(record, solver)
    reason = "" if result.status is Status.CONFIRMED else result.reason or "not confirmed"
    recheck = {"recheck": {"status": result.status.name, "reason": reason}} if reason else {}
    return {**record, "review": {**review_form(candidate, decided, entries), **recheck}}, reason


def review_form(candidate: Candidate, decided: DecisionLine, entries: Sequence[DecisionLine]) -> Record:
    """Return the review of a record: its deciding decision, and all decisions in force."""
    original = CandidateTexts.of_record(candidate.record)
    return {
        "version": candidate.version,
        "uid": decided.uid,
        **decision_form(decided),
        "edited": decided.texts != original,
        "original": json_form(original),
        "decisions": list(map(decision_form, entries)),
    }


def decision_form(entry: DecisionLine) -> Record:
    """Return a decision as the review of a record has it."""
    form = json_form(entry)
    kept = ("reviewer", "decision", "texts", "findings", "override", "reason", "note")
    return {**{name: form[name] for name in kept}, "seconds": round(entry.seconds, 1), "decided_at": entry.at}


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
        status = status_of(candidate, (entry.decision for entry in entries), plan)
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
        reason = _reason_set_aside(same)
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


def _reason_set_aside(same: list[ExampleLine]) -> str:
    if len({(entry.label.verdict, entry.label.error_type, entry.label.line) for entry in same}) > 1:
        return DISAGREE
    verdict = audited_label(same[0].record())
    return f"{REFUTED}: {verdict.reason}" if verdict.status is Status.REFUTED else ""


def _text_digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "backslashreplace")).hexdigest()[:ID_DIGITS]
