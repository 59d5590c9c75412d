"""The basis of samples: oracle, review, plausibility and audit."""
