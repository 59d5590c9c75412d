"""The registered dialects of formalizations, one module for each dialect."""
