"""The correct solution that flaws are made from: its values, units, and mutants."""
