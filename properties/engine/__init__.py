"""What every stage of a session shares: inputs, settings, encoder, verdicts."""
