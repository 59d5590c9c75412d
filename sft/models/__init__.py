"""Language models: weights, presets, prompts, and decoding under a grammar."""
