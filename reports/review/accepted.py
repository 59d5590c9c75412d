"""The training records of accepted candidates, written as soon as a reviewer accepts: a file beside the state, derived from it."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from filelock import FileLock

from harness.domain import Status
from harness.json_form import json_form
from harness.records.review import CandidateTexts, Decision, DecisionLine
from harness.store.content_digest import with_digest
from harness.store.run_folder import dump, write_atomically, writing
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import Solver, SolverName, open_solver
from reports.review.candidate_view import edited_record
from reports.review.candidates import Candidate, Candidates
from reports.review.review_state import ReviewState

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
        known = _known(path)
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


def _known(path: Path) -> dict[str, str]:
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
