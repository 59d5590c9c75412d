"""Flawed solutions: one change of a correct solution, its consequences, its text and its label."""
