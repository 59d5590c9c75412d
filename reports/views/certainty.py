"""The certainty of a run's oracles in words, and the problems that a person should look at first."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from harness.domain import Problem
from harness.records.formalization import CalibrationRecord, ConsensusRecord, GoldDoubt, ProbabilityBasis
from harness.text.characters import one_line

EXAMPLE = 0.95
"""The probability whose calibration is shown first."""
FIRST_LOOKS = 12
BASIS_TITLES = {
    ProbabilityBasis.PRIOR: "how often public programs are right: one model, or models that never differ, show no more than that",
    ProbabilityBasis.AGREEMENT: "what the models agree on",
    ProbabilityBasis.KNOWN_ANSWERS: "what they agree on, and this run's known answers",
    ProbabilityBasis.GOLD_ANSWER: "the known answer, which leaves the logic in doubt",
}
NOTHING_COMPUTED = "no probability: no program computes its answer from the numbers of the question, or the run is of an earlier release"
NOT_INDEPENDENT = "the answers do not show that the models that agree are independent and not one group"


def calibration_sentence(rows: Sequence[CalibrationRecord]) -> str:
    """Return how many of 100 oracles with a probability of about 0.95 are right, and whose answers were counted."""
    row = next((row for row in rows if row.low <= EXAMPLE < row.high), max(rows, key=attrgetter("answers")))
    return (
        f"Of 100 oracles with a probability of {row.low:.2f} to {row.high:.2f}, {100 * row.right:.0f} are right "
        f"(measured on {row.answers:,} of {one_line(row.evidence, limit=300)})."
    )


def kept_sentence(kept: int, problems: int, threshold: float, expected_wrong: float) -> str:
    """Return `kept 412 of 500 at ≥ 99%: expect 2 wrong`."""
    # `0.0 wrong` would read as none.
    few = f"{expected_wrong:.1g}" if expected_wrong < 0.1 else f"{expected_wrong:.1f}"
    wrong = f"{expected_wrong:,.0f}" if expected_wrong >= 1 else few
    return f"kept {kept:,} of {problems:,} at ≥ {100 * threshold:.4g}%: expect {wrong} wrong"


def probability_sentence(consensus: ConsensusRecord) -> str:
    """Return `0.963, by what the models agree on`, or why there is no probability."""
    if consensus.p_right is None or consensus.p_right_basis is None:
        return "no probability: there is no oracle" if consensus.oracle is None else NOTHING_COMPUTED
    sentence = f"{consensus.p_right:.3f}, by {BASIS_TITLES[consensus.p_right_basis]}"
    if consensus.p_right_independent is None:
        return sentence
    return f"{sentence}; lowered from {consensus.p_right_independent:.3f}, because {NOT_INDEPENDENT}"


def lowered_sentence(lowered: Sequence[float]) -> str:
    """Return how many probabilities of a run were lowered, the highest that is left, and why; `lowered` are what is left of them, one at least."""
    counted = "1 probability is" if len(lowered) == 1 else f"{len(lowered):,} probabilities are"
    return f"{counted} lowered, to {max(lowered):.3f} at most, because {NOT_INDEPENDENT}"


def gold_doubt_sentence(doubt: GoldDoubt, gold: str | None) -> str:
    """Return the evidence against a gold answer."""
    for_gold = "none gives" if not doubt.gold_models else f"{len(doubt.gold_models):,} give"
    return (
        f"the gold answer is doubtful: {len(doubt.models):,} models, as good as {doubt.witnesses:.1f} independent ones, give "
        f"{one_line(doubt.value, limit=60)} (right with probability {doubt.p_right:.3f}), {for_gold} the gold answer {one_line(gold or '?', limit=60)}"
    )


@dataclass(frozen=True, slots=True, order=True)
class FirstLook:
    """A problem that a person should look at, and why; those to look at first are the smallest."""

    rank: tuple[int, float]
    problem_id: str
    p_right: float | None = field(compare=False)
    confidence: float = field(compare=False)
    why: str = field(compare=False)


@dataclass(slots=True)
class FirstLooks:
    """The problems to look at first: doubtful gold answers, answers that may need rounding, the least sure oracles, no oracle."""

    findings: int = 0
    _looks: list[FirstLook] = field(default_factory=list)

    def add(self, problem: Problem, record: ConsensusRecord | None, reason: str) -> None:
        """Take note of a problem with the reason to doubt its oracle."""
        p_right, confidence = (None, 0.0) if record is None else (record.p_right, record.confidence)
        rank = (2, p_right) if p_right is not None else (3, confidence)
        if record is not None and record.gold_doubt is not None:
            reason, rank = gold_doubt_sentence(record.gold_doubt, problem.gold), (0, -record.gold_doubt.p_right)
        elif record is not None and record.findings:
            self.findings += 1
            rank = (1, confidence if p_right is None else p_right)
        self._looks.append(FirstLook(rank, problem.problem_id, p_right, confidence, reason))
        if len(self._looks) > 100 * FIRST_LOOKS:
            self._looks = self.first()

    def first(self) -> list[FirstLook]:
        """Return the first ones in order."""
        return sorted(self._looks)[:FIRST_LOOKS]
