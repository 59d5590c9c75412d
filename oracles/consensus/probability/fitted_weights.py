"""The fitted weights of evidence (how much each piece moves the log odds that an answer, or its logic, is right), and their calibration."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from harness.records.formalization import CalibrationRecord, ProbabilityBasis

if TYPE_CHECKING:
    from oracles.consensus.probability.answer_evidence import AnswerEvidence

SUREST = 0.998
"""No probability is nearer to 0 or 1 than this, because the public programs support no more."""
FEWEST_KNOWN = 100
"""The number of problems with a known answer from which a run shifts the weights."""
HALVINGS, MOST_SHIFT = 40, 20.0
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""The ranges of probability that are counted."""


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """A logistic model of evidence: log odds for a unit of each piece; `prior` is the probability where there is no evidence."""

    prior: float
    intercept: float
    weights: Mapping[str, float]

    def probability(self, evidence: AnswerEvidence) -> float:
        """Return the probability that the evidence speaks for, between 1 - SUREST and SUREST."""
        score = self.intercept + sum(weight * getattr(evidence, name) for name, weight in self.weights.items())
        return min(max(1 / (1 + math.exp(-score)), 1 - SUREST), SUREST)

    def shifted(self, known: Sequence[tuple[AnswerEvidence, bool]]) -> FittedWeights:
        """Return the weights with the intercept that gives the known answers of a run their share of right ones in the mean.

        That share is what runs differ in most. The weights are these ones where too few answers are known, or all are right or wrong.
        """
        right = sum(correct for _, correct in known)
        if len(known) < FEWEST_KNOWN or right in {0, len(known)}:
            return self
        low, high = self.intercept - MOST_SHIFT, self.intercept + MOST_SHIFT
        for _ in range(HALVINGS):
            middle = replace(self, intercept=(low + high) / 2)
            if sum(middle.probability(evidence) for evidence, _ in known) < right:
                low = middle.intercept
            else:
                high = middle.intercept
        return replace(self, intercept=(low + high) / 2)


@cache
def shipped_weights(case: str) -> FittedWeights:
    """Return the weights fitted on public programs: of an `answer` that is not known, or of the `logic` of a known one."""
    with Path(__file__).with_suffix(".toml").open("rb") as file:
        return FittedWeights(**tomllib.load(file)[case])


def ranges(
    judged: Sequence[tuple[float, bool]], *, basis: ProbabilityBasis, evidence: str
) -> Iterator[CalibrationRecord]:
    """Yield the ranges that hold an answer, of answers with their probability and whether they are right."""
    for low, high in itertools.pairwise(EDGES):
        inside = [pair for pair in judged if low <= pair[0] < high or pair[0] == high == EDGES[-1]]
        if inside:
            yield CalibrationRecord(
                basis=basis,
                evidence=evidence,
                low=low,
                high=high,
                answers=len(inside),
                mean=round(sum(chance for chance, _ in inside) / len(inside), 4),
                right=round(sum(right for _, right in inside) / len(inside), 4),
            )


@cache
def public_calibration() -> dict[ProbabilityBasis, tuple[CalibrationRecord, ...]]:
    """Return the calibration that was measured on public programs, by basis, of weights fitted without their problems and families."""
    with Path(__file__).with_name("calibration.toml").open("rb") as file:
        tables = tomllib.load(file)
    return {
        ProbabilityBasis(name): tuple(
            CalibrationRecord(basis=ProbabilityBasis(name), evidence=table["evidence"], **row)
            for row in table["ranges"]
        )
        for name, table in tables.items()
    }
