"""UT-2: aligning the inputs of two formalizations by value and meaning."""
