"""The audit of labelled solutions: whether the label is right, and each finding with its line."""
