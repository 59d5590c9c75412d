"""The language of problems and solutions: numbers, nouns, units and operation words in text."""
