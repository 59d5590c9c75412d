"""A model of wording, fitted on correct solutions: the probabilities of an operation, of an unused number and of an ending, given their context.

Each is a logistic regression over texts of features that are hashed to a fixed number of columns.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sft.verifier.wording_contexts import OPERATORS, ending_context, number_contexts, operation_contexts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np

    from sft.verifier.solution_steps import SolutionSteps

WEIGHTS = Path(__file__).with_name("wording_weights.npz")
BITS = 15
LEAST = 1e-6
INTERCEPT = "1"
"""The feature that every context has."""


class OperationDoubt(NamedTuple):
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
    table = weights()["use"]
    unused = (number for number in number_contexts(steps) if not number.used)
    return {number.mention: hashed_probabilities(table, number.context)[1] for number in unused}


def endings(steps: SolutionSteps) -> list[float]:
    """Return the probability, after each step, that the solution ends there."""
    contexts = (ending_context(steps, until) for until in range(1, len(steps.steps) + 1))
    return [hashed_probabilities(weights()["end"], context)[1] for context in contexts]


def hashed(context: Iterable[str]) -> list[int]:
    """Return the columns of a context's features, each once."""
    return sorted({zlib.crc32(feature.encode()) & ((1 << BITS) - 1) for feature in context})


def hashed_probabilities(table: np.ndarray, context: Iterable[str]) -> list[float]:
    """Return the probabilities of the classes of a context; `table` is columns x classes, or the log-odds of the second of two."""
    import numpy as np

    sums = table[hashed(context)].sum(axis=0)
    powers = np.exp(sums - sums.max()) if table.ndim > 1 else np.exp(np.array([0.0, sums]) - max(0.0, float(sums)))
    return [float(share) for share in powers / powers.sum()]


def fit_hashed(contexts: Sequence[Sequence[str]], labels: Sequence[int]) -> np.ndarray:
    """Return the table of contexts with the numbers of their classes; each context has the feature `INTERCEPT`."""
    import numpy as np
    from scipy.sparse import csr_matrix

    from sft.fitted.fit import logistic_regression

    rows = [hashed(context) for context in contexts]
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int32)
    sparse = csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(rows), 1 << BITS))
    fitted = logistic_regression(sparse, np.array(labels))
    table: np.ndarray = fitted.coef_.T.copy()
    table[hashed([INTERCEPT])[0]] += fitted.intercept_
    return table if table.shape[1] > 1 else table[:, 0]


def save_tables(tables: Mapping[str, np.ndarray], path: Path) -> None:
    """Write tables by name, in half precision."""
    import numpy as np

    halved: dict[str, Any] = {name: table.astype(np.float16) for name, table in tables.items()}
    np.savez_compressed(path, **halved)


def load_tables(path: Path) -> dict[str, np.ndarray]:
    """Return the tables of a file."""
    import numpy as np

    with np.load(path, allow_pickle=False) as saved:
        return {name: saved[name].astype(np.float32) for name in saved.files}
