"""Traces, rendered solutions and mutations as snapshots that people review."""
