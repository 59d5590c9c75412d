"""Fitted logistic regressions: the one way to fit, calibrate, shift, store and apply weights of evidence."""

import enum


class CalibrationMethod(enum.StrEnum):
    """How probabilities are calibrated: a logistic curve for each class, a rising step function, or not at all."""

    PLATT = "platt"
    ISOTONIC = "isotonic"
    NONE = "none"
