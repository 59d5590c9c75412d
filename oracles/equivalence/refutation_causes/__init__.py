"""The cause of a refutation, and the second comparisons that find it."""
