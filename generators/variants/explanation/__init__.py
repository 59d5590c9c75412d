"""Explanations in plain words of why a problem is solvable, contradictory or underspecified."""
