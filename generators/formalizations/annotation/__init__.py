"""The annotation compiler, a formalizer that reads the annotations of a solution and calls no model."""
