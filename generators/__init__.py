"""Generation of formalizations, flawed solutions and problem variants."""
