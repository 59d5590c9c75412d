"""The points at which programs are evaluated: the search for a counterexample, the check of a proof, and the witness in reports."""
