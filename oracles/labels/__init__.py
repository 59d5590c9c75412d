"""The audit of labelled solutions, and of edits to their text."""
