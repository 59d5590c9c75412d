"""The fitted weights of evidence: how much each piece moves the log odds that an answer, or its logic, is right."""

from __future__ import annotations

import math
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from oracles.consensus.probability.answer_evidence import SIGNS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from oracles.consensus.probability.answer_evidence import AnswerEvidence

SUREST = 0.998
"""No probability is nearer to 0 or 1 than this, because the public programs support no more."""
FEWEST_KNOWN = 100
"""The number of problems with a known answer from which a run changes the weights."""
STRENGTH = 20.0
"""The precision of the Gaussian prior around the shipped weights, in units of each piece's spread."""


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """A logistic model of evidence.

    `prior` is the probability where there is no evidence. `scale` is the spread of each piece of evidence on the public
    programs; weights are for evidence in its own units.
    """

    prior: float
    intercept: float
    weights: Mapping[str, float]
    scale: Mapping[str, float]

    def probability(self, evidence: AnswerEvidence) -> float:
        """Return the probability that the evidence speaks for, between 1 - SUREST and SUREST."""
        score = self.intercept + sum(weight * getattr(evidence, name) for name, weight in self.weights.items())
        return min(max(1 / (1 + math.exp(-score)), 1 - SUREST), SUREST)

    def refitted(self, known: Sequence[tuple[AnswerEvidence, bool]]) -> FittedWeights:
        """Return the weights after the problems of a run whose answers are known, these ones where they are too few.

        The maximum a posteriori with a Gaussian prior around these weights.
        """
        if len(known) < FEWEST_KNOWN or len({right for _, right in known}) < 2:
            return self
        names = tuple(self.weights)
        spread = np.array([self.scale[name] for name in names])
        inputs = matrix([evidence for evidence, _ in known], names) / spread
        start = np.array([self.intercept, *(np.array([self.weights[name] for name in names]) * spread)])
        right = np.array([float(correct) for _, correct in known])
        intercept, *weights = maximum_a_posteriori(inputs, right, names, start, STRENGTH).tolist()
        own = (np.array(weights) / spread).tolist()
        return FittedWeights(self.prior, intercept, dict(zip(names, own, strict=True)), self.scale)


def matrix(evidence: Sequence[AnswerEvidence], names: Sequence[str]) -> NDArray[np.float64]:
    """Return the named pieces of evidence, a row for each answer."""
    return np.array([[own[name] for name in names] for own in map(asdict, evidence)])


def maximum_a_posteriori(
    inputs: NDArray[np.float64],
    right: NDArray[np.float64],
    names: Sequence[str],
    start: NDArray[np.float64],
    strength: float,
) -> NDArray[np.float64]:
    """Return intercept and weights of a logistic regression with a Gaussian prior around `start`.

    `inputs` has a row for each answer and a column for each of `names`, `strength` is the precision of the prior. The
    intercept is free: the share of right answers is what runs differ in most. No weight has another sign than `SIGNS` gives.
    """
    from scipy.optimize import minimize  # 0.4 s to import; few runs know enough answers
    from scipy.special import expit

    precision = np.array([0.0, *[strength] * len(names)])
    columns = np.column_stack([np.ones(len(inputs)), inputs])

    def loss(fitted: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores, moved = columns @ fitted, precision * (fitted - start)
        value = float(np.logaddexp(0, scores).sum() - right @ scores + moved @ (fitted - start) / 2)
        return value, columns.T @ (expit(scores) - right) + moved

    bounds = [(None, None), *(_BOUNDS[SIGNS[name]] for name in names)]
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x)


_BOUNDS = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}


@cache
def shipped_weights(case: str) -> FittedWeights:
    """Return the weights fitted on public programs, for answers that are `unknown` or `known`."""
    with Path(__file__).with_name("fitted_weights.toml").open("rb") as file:
        fitted = tomllib.load(file)[case]
    return FittedWeights(fitted["prior"], fitted["intercept"], fitted["weights"], fitted["scale"])
