"""The rules of repair, each keyed by faults of the reader."""
