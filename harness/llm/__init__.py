"""Requests to language models: providers, prices, rate limits, and a store that prevents repeated requests.

The package does not depend on what is requested: formalizations, verdicts and constraint programs all use `Client.ask`.
"""
