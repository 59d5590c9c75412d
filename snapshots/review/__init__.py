"""Comparing snapshots with what they should say."""
