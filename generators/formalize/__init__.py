"""Formalizations of any corpus by any model: prompts, a round of repair, and what it costs.

`python -m generators.formalize` at the command line, `generators.formalize.making.formalize` in Python.
"""
