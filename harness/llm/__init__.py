"""Asking language models: providers, what an answer costs, how fast one may ask, and a store in which nothing is asked twice.

It knows nothing of what is asked: formalizations, verdicts and constraint programs are all asked for through `Client.ask`.
"""
