"""The page of the reviewers' agreement."""
