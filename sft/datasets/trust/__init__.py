"""What samples rest on: oracle, review, plausibility and audit."""
