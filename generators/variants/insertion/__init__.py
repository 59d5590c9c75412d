"""Sentences that are put into a question: results of the solution, numbers said again, and limits."""
