"""Protection against leakage: protected problems, splits, and shortcuts that would give the label away."""
