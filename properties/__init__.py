"""The product suites: each claim about formalizations is one parametrized test."""
