"""A correct solution as flaws are made from it: its values, units, and mutants."""
