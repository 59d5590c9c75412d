"""Generators of constraint problems: by construction in registered domains, or by asking language models."""
