"""The choices of the user for the fit of a combiner; they need no numpy, so that `--help` is quick."""

import enum


class CombinerKind(enum.StrEnum):
    """The model that is fitted: a multinomial logistic regression, boosted trees, or the mean of both."""

    LOGISTIC = "logistic"
    BOOSTED = "boosted"
    BOTH = "both"


class CalibrationMethod(enum.StrEnum):
    """How probabilities are calibrated: a logistic curve for each class, a rising step function, or not at all."""

    PLATT = "platt"
    ISOTONIC = "isotonic"
    NONE = "none"
