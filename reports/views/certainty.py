"""The certainty of a run's oracles: calibration in words, the problems kept at a probability, and those that a person should look at first."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from harness.records.formalization import ProbabilityBasis
from harness.text.characters import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.records.formalization import CalibrationRecord, ConsensusRecord, GoldDoubt

EXAMPLE = 0.95
"""The probability whose calibration is shown first."""
SHOWN_TENTHS = 0.1
"""The number of wrong ones from which one decimal suffices; `0.0 wrong` would read as none."""
BASIS_TITLES = {
    ProbabilityBasis.PRIOR: "how often public programs are right: one model, or models that never differ, show no more than that",
    ProbabilityBasis.AGREEMENT: "what the models agree on",
    ProbabilityBasis.KNOWN_ANSWERS: "what they agree on, and this run's known answers",
    ProbabilityBasis.GOLD_ANSWER: "the known answer, which leaves the logic in doubt",
}
NOTHING_COMPUTED = "no probability: no program computes its answer from the numbers of the question, or the run is of an earlier release"
NOT_INDEPENDENT = "the answers do not show that the models that agree are independent and not one group"


@dataclass(frozen=True, slots=True)
class CalibrationTable:
    """The calibration of the probabilities that rest on one basis."""

    basis: ProbabilityBasis
    rows: tuple[CalibrationRecord, ...]

    @property
    def sentence(self) -> str:
        """Return how many of 100 oracles with a probability of about 0.95 are right, and whose answers were counted."""
        row = next(
            (row for row in self.rows if row.low <= EXAMPLE < row.high), max(self.rows, key=attrgetter("answers"))
        )
        return (
            f"Of 100 oracles with a probability of {row.low:.2f} to {row.high:.2f}, {100 * row.right:.0f} are right "
            f"(measured on {row.answers:,} of {one_line(self.rows[0].evidence, limit=300)})."
        )


def calibration_tables(records: Iterable[CalibrationRecord]) -> list[CalibrationTable]:
    """Return the calibration by basis, in the order of the file."""
    return [CalibrationTable(basis, tuple(rows)) for basis, rows in itertools.groupby(records, attrgetter("basis"))]


def kept_sentence(kept: int, problems: int, threshold: float, expected_wrong: float) -> str:
    """Return `kept 412 of 500 at ≥ 99%: expect 2 wrong`."""
    few = f"{expected_wrong:.1g}" if expected_wrong < SHOWN_TENTHS else f"{expected_wrong:.1f}"
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


@dataclass(frozen=True, slots=True)
class FirstLook:
    """A problem that a person should look at, and why."""

    problem_id: str
    p_right: float | None
    why: str


@dataclass(slots=True)
class FirstLooks:
    """The problems to look at first, at most `limit`: doubtful gold answers, surest first; then oracles, least sure first."""

    limit: int
    _ranked: list[tuple[tuple[Any, ...], FirstLook]] = field(default_factory=list)

    def add(self, record: ConsensusRecord, gold: str | None, reason: str) -> None:
        """Take note of a problem, its gold answer and the reason to doubt its oracle."""
        if record.gold_doubt is not None:
            why = gold_doubt_sentence(record.gold_doubt, gold)
            key: tuple[Any, ...] = (0, -record.gold_doubt.p_right, 0.0, record.problem_id)
            self._ranked.append((key, FirstLook(record.problem_id, None, why)))
        elif record.p_right is not None:
            key = (1, not record.findings, record.p_right, record.problem_id)
            self._ranked.append((key, FirstLook(record.problem_id, record.p_right, reason)))
        if len(self._ranked) > 100 * self.limit:
            self._ranked = sorted(self._ranked, key=itemgetter(0))[: self.limit]

    def looks(self) -> list[FirstLook]:
        """Return them in order."""
        return [look for _, look in sorted(self._ranked, key=itemgetter(0))[: self.limit]]


@dataclass(frozen=True, slots=True)
class DoubtfulProblem:
    """A problem, its confidence score, the reason that limits it, and whether a finding speaks against its oracle."""

    problem_id: str
    confidence: float
    reason: str
    finding: bool = False


@dataclass(slots=True)
class LeastSure:
    """The least sure problems, at most `limit`, and how many have a finding that speaks against their oracle."""

    limit: int
    findings: int = 0
    _count: int = 0
    _ranked: list[tuple[tuple[bool, float, bool, int], DoubtfulProblem]] = field(default_factory=list)

    def add(self, problem: DoubtfulProblem, *, judged: bool) -> None:
        """Take note of a problem; of equal ones those with a consensus are the first, then those that came first."""
        self.findings += problem.finding
        self._count += 1
        self._ranked.append(((not problem.finding, problem.confidence, not judged, self._count), problem))
        if len(self._ranked) > 100 * (self.limit + 1):
            self._ranked = sorted(self._ranked, key=itemgetter(0))[: self.limit]

    def first(self) -> list[DoubtfulProblem]:
        """Return the least sure ones."""
        return [problem for _, problem in sorted(self._ranked, key=itemgetter(0))[: self.limit]]
