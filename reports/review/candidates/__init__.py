"""Candidates for review: their index, their queue, and what was changed in them."""
