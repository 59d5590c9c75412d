"""Formalizations of any corpus by any model, with prompts, repair of refused answers, and costs.

`oracle-factory formalize` at the command line, `generators.formalizations.llm_formalizers.formalizer_run.formalize` in Python.
"""
