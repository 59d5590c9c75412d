"""The engines that validate problems."""

import enum


class ProblemEngine(enum.StrEnum):
    """An engine: the text alone, text and model, or the better of the two that is available."""

    SYMBOLIC = "symbolic"
    HYBRID = "hybrid"
    BEST = "best"
