"""The product suites: each claim about the data of a stage is one parametrized test."""
