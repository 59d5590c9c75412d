"""The twins of a line: the line with one change that could repair it."""
