"""The number of pairs of a problem that are compared one by one, in a module that imports nothing, for the help of commands."""

MAX_PAIRS = 1_000
"""The most pairs of formalizations of one problem that are compared one by one: the pairs of 45 formalizations; with more, classes are compared."""
