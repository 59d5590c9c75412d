"""The parts that all stages of a session share: inputs, settings, encoder, verdicts."""
