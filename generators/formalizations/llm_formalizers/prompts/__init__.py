"""The prompts for formalizations: rules, examples and texts."""
