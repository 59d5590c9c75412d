"""The page on which a person reviews candidates."""
