"""Cliques of formalizations that validate one another, their confidence score and the oracle."""
