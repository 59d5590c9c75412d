"""Is the label on a solution right? The audit of labelled datasets, each finding with its line."""
