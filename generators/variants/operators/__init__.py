"""Operators that edit a problem into a contradictory, an underspecified or another solvable one, one per module."""
