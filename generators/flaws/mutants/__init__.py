"""Mutants of a solution's program: the nodes that they replace, and exact evaluation."""
