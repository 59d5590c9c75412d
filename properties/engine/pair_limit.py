"""How many pairs of a problem are compared one by one; the help of commands reads it without what judging needs."""

MAX_PAIRS = 1_000
"""The most pairs of formalizations of one problem that are compared one by one: those of 45; beyond, classes are compared."""
