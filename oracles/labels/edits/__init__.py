"""Checks of the words that a reviewer gives a flawed solution, each finding with its place in the text."""
