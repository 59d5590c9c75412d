"""The base of the variants of a problem: its located question, its constraints, text edits and explanations."""
