"""Explanations in plain words why a problem is solvable, contradictory or underspecified."""
