"""Final answers: what a text says as a number, read whole or not at all, and whether two answers are equal."""
