"""Loads the harness: its options and hooks, and the stages that run on it."""

pytest_plugins = ["properties.plugin", "snapshots.plugin", "sft.plugin"]
