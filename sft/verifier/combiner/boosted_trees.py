"""A forest of boosted trees as plain numbers, evaluated without the library that fitted it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from harness.json_form import Integer, Number

Array = NDArray[np.float64]

LEAF = -1


@dataclass(frozen=True, kw_only=True)
class BoostedForest:
    """Trees whose leaves are summed for each class, as scikit-learn's `HistGradientBoostingClassifier` grows them.

    `base` has the initial sum of each class. `roots` are the first nodes of the trees, `owners` their classes. For node i,
    `features[i]` is the column to compare, `LEAF` in a leaf; rows with at most `thresholds[i]` go to node `left[i]`, the
    others to `right[i]`; `values[i]` is the value of a leaf.
    """

    kind: Literal["boosted"] = "boosted"
    base: tuple[Number, ...]
    roots: tuple[Integer, ...]
    owners: tuple[Integer, ...]
    features: tuple[Integer, ...]
    thresholds: tuple[Number, ...]
    left: tuple[Integer, ...]
    right: tuple[Integer, ...]
    values: tuple[Number, ...]

    @property
    def classes(self) -> int:
        """Return the number of classes."""
        return len(self.base)

    @cached_property
    def _nodes(self) -> tuple[NDArray[np.int64], Array, NDArray[np.int64], NDArray[np.int64], Array]:
        return (
            np.array(self.features, dtype=np.int64),
            np.array(self.thresholds, dtype=np.float64),
            np.array(self.left, dtype=np.int64),
            np.array(self.right, dtype=np.int64),
            np.array(self.values, dtype=np.float64),
        )

    def sums(self, rows: Array) -> Array:
        """Return the sums of each class: rows x columns in, rows x classes out."""
        features, thresholds, left, right, values = self._nodes
        at = np.tile(np.array(self.roots, dtype=np.int64), (len(rows), 1))
        row = np.arange(len(rows))[:, None]
        while True:
            feature = features[at]
            inner = feature != LEAF
            if not inner.any():
                break
            lower = rows[row, np.where(inner, feature, 0)] <= thresholds[at]
            at = np.where(inner, np.where(lower, left[at], right[at]), at)
        totals = np.tile(np.array(self.base, dtype=np.float64), (len(rows), 1))
        owners = np.array(self.owners)
        for index in range(len(self.base)):
            totals[:, index] += values[at[:, owners == index]].sum(axis=1)
        return totals

    def require_columns(self, columns: int) -> None:
        """Check that the forest is whole, for rows of so many columns.

        Raises:
            ValueError: a node names an unknown column or node, or an earlier node, which would give an endless loop.
        """
        nodes = len(self.features)
        if not len(self.thresholds) == len(self.left) == len(self.right) == len(self.values) == nodes:
            raise ValueError("the lists of nodes have different lengths")
        if len(self.roots) != len(self.owners) or not all(0 <= root < nodes for root in self.roots):
            raise ValueError("a tree has no root node")
        if not all(0 <= owner < len(self.base) for owner in self.owners):
            raise ValueError("a tree has no class")
        for index, feature in enumerate(self.features):
            ends = feature == LEAF
            goes_on = 0 <= feature < columns and all(index < to < nodes for to in (self.left[index], self.right[index]))
            if not ends and not goes_on:
                raise ValueError(f"node {index} leads nowhere")


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How scikit-learn grows the trees: stages, learning rate, most leaves of a tree, least rows of a leaf, and seed."""

    stages: int
    rate: float
    leaves: int
    least_in_leaf: int
    seed: int


def grown_trees(rows: Array, labels: NDArray[Any], weights: Array, settings: TreeSettings) -> Any:
    """Return the fitted `HistGradientBoostingClassifier` of rows (samples x columns), their labels and weights."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    trees = HistGradientBoostingClassifier(
        learning_rate=settings.rate,
        max_iter=settings.stages,
        max_leaf_nodes=settings.leaves,
        min_samples_leaf=settings.least_in_leaf,
        l2_regularization=1.0,
        max_features=0.5,
        early_stopping=False,
        random_state=settings.seed,
    )
    # For so few rows, one thread is faster than several threads on a loaded machine.
    with threadpool_limits(1):
        return trees.fit(rows, labels, sample_weight=weights)


def forest_of(grown: Any) -> BoostedForest:
    """Return the forest of a fitted `HistGradientBoostingClassifier` whose columns are numbers and never missing."""
    features: list[int] = []
    thresholds: list[float] = []
    left: list[int] = []
    right: list[int] = []
    values: list[float] = []
    roots, owners = [], []
    for stage in grown._predictors:  # noqa: SLF001  # the nodes of this class are not public; a test compares our sums with its own
        for owner, tree in enumerate(stage):
            start = len(features)
            roots.append(start)
            owners.append(owner)
            for node in tree.nodes:
                leaf = bool(node["is_leaf"])
                features.append(LEAF if leaf else int(node["feature_idx"]))
                thresholds.append(0.0 if leaf else float(node["num_threshold"]))
                left.append(0 if leaf else start + int(node["left"]))
                right.append(0 if leaf else start + int(node["right"]))
                values.append(float(node["value"]) if leaf else 0.0)
    base = tuple(float(start) for start in np.ravel(grown._baseline_prediction))  # noqa: SLF001  # as above
    return BoostedForest(
        base=base,
        roots=tuple(roots),
        owners=tuple(owners),
        features=tuple(features),
        thresholds=tuple(thresholds),
        left=tuple(left),
        right=tuple(right),
        values=tuple(values),
    )
