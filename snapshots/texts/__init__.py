"""The texts that snapshots hold."""
