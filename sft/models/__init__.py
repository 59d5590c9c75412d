"""Language models: weights, presets, marks, constrained decoding."""
