"""A session of pytest on the suites: its claims, options, progress and outcome."""
