"""The removal of statements from a question, and whether information that the answer needs is then missing."""
