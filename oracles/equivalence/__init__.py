"""UT-3: the ladder that proves or refutes that two programs compute the same."""
