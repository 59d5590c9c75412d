"""A model of wording, fitted on correct solutions: the probabilities of an operation and of an unused number, given their context.

Each is a logistic regression over texts of features that are hashed to a fixed number of columns; `benchmarks.verifier_wording` fits them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sft.verifier.solution_steps import SolutionSteps
from sft.verifier.wording_contexts import OPERATORS, number_contexts, operation_contexts

if TYPE_CHECKING:
    import numpy as np

WEIGHTS = Path(__file__).with_name("wording_weights.npz")
BITS = 15
LEAST = 1e-6


class OperationDoubt(NamedTuple):
    """An operation and the most probable other sign: the step, both signs, and the probability of each."""

    step: int
    stated: str
    expected: str
    stated_probability: float
    expected_probability: float


@cache
def weights() -> Mapping[str, np.ndarray]:
    """Return the tables that come with the package: `operator` of four signs, `use` of a number."""
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
    table = weights()["use"]
    unused = (number for number in number_contexts(steps) if not number.used)
    return {number.mention: hashed_probabilities(table, number.context)[1] for number in unused}


def hashed(context: Iterable[str]) -> list[int]:
    """Return the columns of a context's features, each once."""
    return sorted({zlib.crc32(feature.encode()) & ((1 << BITS) - 1) for feature in context})


def hashed_probabilities(table: np.ndarray, context: Iterable[str]) -> list[float]:
    """Return the probabilities of the classes of a context; `table` is columns x classes, or the log-odds of the second of two."""
    import numpy as np

    sums = table[hashed(context)].sum(axis=0)
    powers = np.exp(sums - sums.max()) if table.ndim > 1 else np.exp(np.array([0.0, sums]) - max(0.0, float(sums)))
    return [float(share) for share in powers / powers.sum()]


def load_tables(path: Path) -> dict[str, np.ndarray]:
    """Return the tables of a file."""
    import numpy as np

    with np.load(path, allow_pickle=False) as saved:
        return {name: saved[name].astype(np.float32) for name in saved.files}
