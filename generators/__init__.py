"""Making: formalizations, flawed solutions and problem variants."""
