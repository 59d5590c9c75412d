"""From the raw text of a response to a program, and back to Python."""
