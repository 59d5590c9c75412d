"""Traces and rendered solutions as snapshots that people review."""
