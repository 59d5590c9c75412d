"""The order of models in which those that agree most stand beside each other."""

from collections.abc import Callable, Sequence

MOST_ORDERED = 100
"""Models whose leaves are ordered optimally; that takes time with the third power of their number, 0.1 s for 100."""


def similarity_order(models: Sequence[str], agreement: Callable[[str, str], float | None]) -> list[str]:
    """Return the models by average-linkage clustering with optimal leaf order (Bar-Joseph et al. 2001).

    The distance of two models is the share of pairs on which they differ; it is 1 where no pair was decided, since zero checks are no
    agreement. The order depends on the agreement alone, and on the names where it leaves a choice.
    """
    if len(models) < 3:
        return list(models)
    # 0.3 s to import; only this picture needs it
    from scipy.cluster.hierarchy import leaves_list, linkage

    distances = [
        1.0 - (agreement(models[left], models[right]) or 0.0)
        for left in range(len(models))
        for right in range(left + 1, len(models))
    ]
    tree = linkage(distances, "average", optimal_ordering=len(models) <= MOST_ORDERED)
    return [models[int(place)] for place in leaves_list(tree)]
