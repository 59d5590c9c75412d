"""Test helpers that write arbitrary candidates and decisions for the review tests."""

from dataclasses import dataclass, replace
from typing import Any

from harness.records.review import CandidateTexts, Decision, DecisionLine, RejectReason
from harness.solution.labels import ErrorType
from reports.review.candidate_queue import LeasedCandidate
from reports.review.candidates import Candidate
from reports.review.review_state import Ruling
from tests.flaw_record import flaw_label, flaw_record

QUESTION = "Lena buys 3 boxes of 4 pens and gets 5 more. How many pens has she?"
SOLUTION = "Lena buys 3*4 = <<3*4=12>>12 pens.\nShe has 12+5 = <<12+5=17>>17 pens.\n#### 17"
LINES = ("Lena buys 3*4 = <<3*4=12>>12 pens.", "She has 12-5 = <<12-5=7>>7 pens.", "#### 7")


@dataclass
class Clock:
    """A clock that a test sets."""

    now: float = 1_700_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def made_record(number: int, **changed: Any) -> dict[str, Any]:
    """Return a record with the fields of a flawed solution; what it claims is true of no other than number 0."""
    sides = {
        side: {
            "inputs": [["boxes", "3"], ["pens", "4"], ["given", "5"]],
            "steps": [["L1", "bought", "boxes * pens"], ["L2", "left", f"bought {sign} given"]],
            "answer": "left",
        }
        for side, sign in (("oracle", "+"), ("mutant", "-"))
    }
    wrong = "The pens she gets are taken away. They should be added: 12 + 5 = 17."
    record = flaw_record(
        *(f"pens-{number:03}", "operator_swap", (QUESTION, SOLUTION, "\n".join(LINES))),
        flaw_label(ErrorType.OPERATOR_SWAP, "L2", wrong, SOLUTION.split("\n")[1]),
        flaw_id=f"pens-{number:03}:operator_swap:{number:012x}",
        tier=1 + number % 2,
        mutation={"mutation_type": "operator_swap", "line": "L2", "variable": "left", "from": "+", "to": "-"},
        values=[{"variable": "left", "line": "L2", "before": "17", "after": "7"}],
        plausibility={"score": (number * 7 % 10) / 10, "reasons": ["a common slip"]},
        edits=[],
        provenance=_provenance(number),
        certificate={
            "claim": "inequivalent-mutant",
            **sides,
            "stated": {"bought": "12", "left": "7"},
            "change": {"line": "L2", "variable": "left", "from": "bought + given", "to": "bought - given"},
        },
    )
    return {**record, **changed}


def _provenance(number: int) -> dict[str, Any] | None:
    """Return what a record rests on: of five, one does not say it, one has no oracle, and three have cliques of two to four."""
    if number % 5 == 0:
        return None
    if number % 5 == 1:
        return {"formalized": False, "oracle": None, "clique_size": None, "confidence": None}
    size = number % 5
    oracle = {"formalized": True, "oracle": "alder", "clique_size": size, "confidence": size / 4}
    return {**oracle, "p_right": 0.6 + number % 40 / 100} if number != 4 else oracle


def typed(text: str) -> CandidateTexts:
    """Return the texts of someone who rewrote the second line."""
    return CandidateTexts((LINES[0], text, LINES[2]), "The pens she gets should be added.")


def ruling(decision: Decision, texts: CandidateTexts, **more: Any) -> Ruling:
    """Return a ruling that wants nothing: a rejection with a reason."""
    reason = RejectReason.IMPLAUSIBLE if decision is Decision.REJECT else None
    return Ruling(decision, texts, **{"reason": reason, **more})


def made_entry(candidate_id: str, version: str, reviewer: str, decision: Decision, **changed: Any) -> DecisionLine:
    """Return an entry of a log, with its texts as they came and a reason for a rejection."""
    texts = CandidateTexts(("4*6 = 24", "#### 24"), "it is wrong")
    entry = DecisionLine(
        uid=f"{candidate_id}-{reviewer}-{version}",
        candidate_id=candidate_id,
        version=version,
        reviewer=reviewer,
        session="tab",
        decision=decision,
        undoes=None,
        texts=texts,
        original=texts,
        findings=(),
        override="",
        reason=RejectReason.IMPLAUSIBLE if decision is Decision.REJECT else None,
        note="",
        seconds=10.0,
        at="2027-01-01T12:00:00+00:00",
    )
    return replace(entry, **changed)


def leased(taken: LeasedCandidate | None) -> LeasedCandidate:
    """Return a candidate that a queue gave; there must be one."""
    assert taken is not None
    return taken


def accepted(taken: LeasedCandidate) -> Ruling:
    """Return that a candidate is accepted as it was shown."""
    return ruling(Decision.ACCEPT, taken.texts)


def name_of(candidate: Candidate | LeasedCandidate) -> str:
    """Return the id of a candidate."""
    return candidate.candidate.candidate_id if isinstance(candidate, LeasedCandidate) else candidate.candidate_id
