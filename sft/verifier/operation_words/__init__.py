"""A model of wording, learned from correct solutions: the operations, numbers and endings that words call for."""
