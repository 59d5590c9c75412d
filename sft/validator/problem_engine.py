"""The engines that validate problems."""

import enum


class ProblemEngine(enum.StrEnum):
    """What judges: the text alone, the text and a model, or the second where its adapter is there."""

    SYMBOLIC = "symbolic"
    HYBRID = "hybrid"
    BEST = "best"
