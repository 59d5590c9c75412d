"""Which kinds of problems are there? Each is a function that drafts one, given to the domains that it belongs to."""
