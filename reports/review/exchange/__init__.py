"""Export of candidates and decisions to other annotation programs and machines, and their import."""
