"""Traces, mutations and problem variants as text snapshots that people review."""
