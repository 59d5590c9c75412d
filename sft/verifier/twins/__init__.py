"""The twins of a line: the same line with one thing changed, which a repair of the line could give."""
