"""Traces, flawed solutions and problem variants of the bundled corpus as text snapshots that people review."""
