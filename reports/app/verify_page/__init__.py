"""The page that judges a pasted solution or problem."""
