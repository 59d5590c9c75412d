"""Reading text that mixes SMT-LIB2 with other notations."""
