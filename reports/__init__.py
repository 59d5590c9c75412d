"""Reports of a run for a person: in the terminal, as HTML pages, in the review app."""
