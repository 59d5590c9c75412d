"""Certificates of problem variants: solvable, contradictory or underspecified by their constraints."""
