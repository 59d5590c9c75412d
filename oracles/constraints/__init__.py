"""Judging constraint programs in SMT-LIB 2 with z3 and cvc5: filtering, validation and equivalence."""
