"""What the variants of a problem are built on: its located question, its constraints, text edits and explanations."""
