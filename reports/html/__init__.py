"""HTML reports of a run."""
