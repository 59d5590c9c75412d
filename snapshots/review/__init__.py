"""Comparison of snapshots with their expected texts."""
