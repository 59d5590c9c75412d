"""The probability that an oracle is right: reliability of models from their agreement, evidence, and fitted weights."""
