"""Edits of a question that are worded as a person would write them."""
