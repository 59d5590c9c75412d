"""Fitted logistic regressions: the one way to fit, calibrate, shift, store and apply weights of evidence."""
