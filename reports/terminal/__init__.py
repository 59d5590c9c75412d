"""Reports of a run in the terminal."""
