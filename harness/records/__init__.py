"""The records on disk, one module for each stage; each class is a line of a file."""
