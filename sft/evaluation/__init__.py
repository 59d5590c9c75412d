"""Evaluation of verifiers: items, engines and baselines, metrics with intervals, and the sealed stage of results."""
