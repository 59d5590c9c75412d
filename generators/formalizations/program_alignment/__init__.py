"""Templates of solutions whose numbers are aligned with the variables of a program."""
