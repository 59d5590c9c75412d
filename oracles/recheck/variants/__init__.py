"""The re-check of the records of problem variants."""
