"""The kinds of evidence for or against the solvability of a problem, one module each."""
