"""Logistic regressions over texts of features that are hashed to a fixed number of columns, and their compressed file."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import numpy as np

BITS = 15
INTERCEPT = "1"
"""The feature that every context has."""


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
