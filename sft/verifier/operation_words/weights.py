"""The wording model: probabilities of an operation, of an unused number and of an ending, given their context."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sft.fitted.hashed import hashed_probabilities, load_tables
from sft.verifier.operation_words.contexts import OPERATORS, ending_context, number_contexts, operation_contexts

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from sft.verifier.solution_steps import SolutionSteps

WEIGHTS = Path(__file__).with_name("weights.npz")
LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class OperationDoubt:
    """An operation and the most probable other sign: the step, both signs, and the probability of each."""

    step: int
    stated: str
    expected: str
    stated_probability: float
    expected_probability: float


@cache
def weights() -> Mapping[str, np.ndarray]:
    """Return the tables that come with the package: `operator` of four signs, `use` of a number, `end` of a solution."""
    return load_tables(WEIGHTS)


def doubts(steps: SolutionSteps) -> list[OperationDoubt]:
    """Return for each operation its probability and that of the most probable other sign."""
    doubtful = []
    for operation in operation_contexts(steps):
        shares = dict(zip(OPERATORS, hashed_probabilities(weights()["operator"], operation.context), strict=True))
        stated = max(LEAST, shares.pop(operation.operator))
        other = max(shares, key=lambda sign: shares[sign])
        doubtful.append(OperationDoubt(operation.step, operation.operator, other, stated, shares[other]))
    return doubtful


def called_for(steps: SolutionSteps) -> dict[int, float]:
    """Return for each unused number of the question the probability that a solution uses it."""
    return {
        number.mention: hashed_probabilities(weights()["use"], number.context)[1]
        for number in number_contexts(steps)
        if not number.used
    }


def endings(steps: SolutionSteps) -> list[float]:
    """Return the probability, after each step, that the solution ends there."""
    table = weights()["end"]
    return [hashed_probabilities(table, ending_context(steps, until))[1] for until in range(1, len(steps.steps) + 1)]
