"""The scores that the language model gives to a problem: probabilities of the classes, likelihood of the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.constraint_system import ProblemClass


@dataclass(frozen=True, slots=True)
class ProblemScores:
    """The probability of each class's mark among the three marks, and the likelihood of the text.

    `loglik` is the mean log-probability of the text's tokens, in nats, `least` the lowest log-probability of a token.
    """

    marks: Mapping[ProblemClass, float]
    loglik: float
    least: float
