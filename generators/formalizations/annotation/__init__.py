"""The annotation compiler: a formalizer that calls no model."""
