"""Worked solutions: the template, the evaluation trace, the dependency graph and the text."""
