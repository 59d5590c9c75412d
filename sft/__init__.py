"""Small models that verify solutions and problems: datasets, training, the verifier, the validator, evaluation."""
