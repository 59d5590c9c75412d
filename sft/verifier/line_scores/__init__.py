"""Scores that a language model gives to lines."""
