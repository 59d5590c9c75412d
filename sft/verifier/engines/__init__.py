"""The ways to judge a solution, one file each."""
