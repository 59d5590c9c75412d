"""How sure a run is of its oracles: calibration in words, what is kept at a probability, and what a person should look at first."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from harness.records.formalization import ProbabilityBasis
from harness.text.printable_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.records.formalization import CalibrationRecord, ConsensusRecord, GoldDoubt

EXAMPLE = 0.95
"""The probability that the calibration is told for first."""
BASIS_TITLES = {
    ProbabilityBasis.PRIOR: "how often public programs are right, as one model, or models that never differ, show no more",
    ProbabilityBasis.AGREEMENT: "what the models agree on",
    ProbabilityBasis.KNOWN_ANSWERS: "what they agree on, and this run's known answers",
    ProbabilityBasis.GOLD_ANSWER: "the known answer; the doubt is the logic",
}


@dataclass(frozen=True, slots=True)
class CalibrationTable:
    """The calibration of the probabilities that rest on one basis."""

    basis: ProbabilityBasis
    rows: tuple[CalibrationRecord, ...]

    @property
    def sentence(self) -> str:
        """Return how many of 100 problems marked with about 0.95 are right, and whose answers were counted."""
        row = next(
            (row for row in self.rows if row.low <= EXAMPLE < row.high), max(self.rows, key=attrgetter("answers"))
        )
        return (
            f"Of 100 problems marked {row.low:.2f} to {row.high:.2f}, {100 * row.right:.0f} are right "
            f"({row.answers:,} of {one_line(self.rows[0].evidence, limit=300)})."
        )


def calibration_tables(records: Iterable[CalibrationRecord]) -> list[CalibrationTable]:
    """Return the calibration by basis, in the order of the file."""
    return [CalibrationTable(basis, tuple(rows)) for basis, rows in itertools.groupby(records, attrgetter("basis"))]


def kept_sentence(kept: int, problems: int, threshold: float, expected_wrong: float) -> str:
    """Return `kept 412 of 500 at ≥ 99%: expect 2 wrong`."""
    wrong = f"{expected_wrong:,.0f}" if expected_wrong >= 1 else f"{expected_wrong:.1f}"
    return f"kept {kept:,} of {problems:,} at ≥ {100 * threshold:.4g}%: expect {wrong} wrong"


def probability_sentence(consensus: ConsensusRecord) -> str:
    """Return `0.963, by what the models agree on`, or why there is no probability."""
    if consensus.p_right is None or consensus.p_right_basis is None:
        return "no probability: there is no oracle" if consensus.oracle is None else "no probability was written"
    return f"{consensus.p_right:.3f}, by {BASIS_TITLES[consensus.p_right_basis]}"


def gold_doubt_sentence(doubt: GoldDoubt, gold: str | None) -> str:
    """Return the evidence against a gold answer."""
    for_gold = "none gives" if not doubt.gold_models else f"{len(doubt.gold_models):,} give"
    return (
        f"the gold answer is doubtful: {len(doubt.models):,} models, as good as {doubt.witnesses:.1f} independent ones, give "
        f"{one_line(doubt.value, limit=60)} (right with probability {doubt.p_right:.3f}), {for_gold} the gold answer {one_line(gold or '?', limit=60)}"
    )


@dataclass(frozen=True, slots=True)
class FirstLook:
    """A problem that a person should look at, and why."""

    problem_id: str
    p_right: float | None
    why: str


def first_looks(
    consensus: Sequence[ConsensusRecord], golds: dict[str, str | None], reasons: dict[str, str], limit: int
) -> list[FirstLook]:
    """Return what to look at first: doubtful gold answers, surest first; then oracles, least sure first."""
    doubtful = [
        (
            -record.gold_doubt.p_right,
            record.problem_id,
            gold_doubt_sentence(record.gold_doubt, golds.get(record.problem_id)),
        )
        for record in consensus
        if record.gold_doubt is not None
    ]
    looks = [FirstLook(problem_id, None, why) for _, problem_id, why in sorted(doubtful)]
    unsure = sorted(
        (record for record in consensus if record.p_right is not None and record.gold_doubt is None),
        key=lambda record: (not record.findings, record.p_right, record.problem_id),
    )
    looks += [FirstLook(record.problem_id, record.p_right, reasons[record.problem_id]) for record in unsure]
    return looks[:limit]
