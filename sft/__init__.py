"""How does a small model learn to verify solutions and problems, and how good is it? Datasets, training, verifier, evaluation."""
