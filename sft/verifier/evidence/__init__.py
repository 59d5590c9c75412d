"""The kinds of evidence for an error in a solution, one module each; every module here is registered."""
