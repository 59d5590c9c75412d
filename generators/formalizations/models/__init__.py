"""Formalizations of any corpus by any model: prompts, a round of repair, and what it costs.

`python -m generators.formalizations.models` at the command line, `generators.formalizations.models.formalizer_run.formalize` in Python.
"""
