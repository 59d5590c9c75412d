"""The place and the kind of a conceptual error, from what is seen in each line."""
