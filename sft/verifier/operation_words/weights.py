"""The wording model: probabilities of an operation, of an unused number and of an ending, given their context."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sft.verifier.operation_words.contexts import OPERATORS, ending_context, number_contexts, operation_contexts

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

    from sft.verifier.solution.solution_steps import SolutionSteps

WEIGHTS = Path(__file__).with_name("weights.npz")
BITS = 15
LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class WordingWeights:
    """Log-linear models over hashed contexts.

    `operator` has a row for each of 32,768 hashes and a column for each of the four signs; `use` and `end` have one weight a
    hash, of the log-odds that a number of the question is used and that a solution ends here.
    """

    operator: np.ndarray
    use: np.ndarray
    end: np.ndarray


@dataclass(frozen=True, slots=True)
class OperationDoubt:
    """An operation and the most probable other sign: the step, both signs, and the probability of each."""

    step: int
    stated: str
    expected: str
    stated_probability: float
    expected_probability: float


def hashed(context: Iterable[str]) -> list[int]:
    """Return the numbers of a context's features, each once."""
    return sorted({zlib.crc32(feature.encode()) & ((1 << BITS) - 1) for feature in context})


@cache
def weights() -> WordingWeights:
    """Return the weights that come with the package."""
    import numpy as np

    with np.load(WEIGHTS, allow_pickle=False) as saved:
        return WordingWeights(*(saved[name].astype(np.float32) for name in ("operator", "use", "end")))


def doubts(steps: SolutionSteps) -> list[OperationDoubt]:
    """Return for each operation its probability and that of the most probable other sign."""
    import numpy as np

    doubtful = []
    for operation in operation_contexts(steps):
        logits = weights().operator[hashed(operation.context)].sum(axis=0)
        exact = np.exp(logits - logits.max())
        shares = [float(share) for share in exact / exact.sum()]
        stated = OPERATORS.index(operation.operator)
        other = max((place for place in range(len(OPERATORS)) if place != stated), key=shares.__getitem__)
        doubtful.append(
            OperationDoubt(
                operation.step, operation.operator, OPERATORS[other], max(LEAST, shares[stated]), shares[other]
            )
        )
    return doubtful


def called_for(steps: SolutionSteps) -> dict[int, float]:
    """Return for each unused number of the question the probability that a solution uses it."""
    return {
        number.mention: _share(weights().use, number.context) for number in number_contexts(steps) if not number.used
    }


def endings(steps: SolutionSteps) -> list[float]:
    """Return the probability, after each step, that the solution ends there."""
    return [_share(weights().end, ending_context(steps, until)) for until in range(1, len(steps.steps) + 1)]


def _share(table: np.ndarray, context: Iterable[str]) -> float:
    import numpy as np

    return float(1 / (1 + np.exp(-table[hashed(context)].sum())))
