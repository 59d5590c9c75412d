"""Formalizations: from models, and compiled from annotated solutions."""
