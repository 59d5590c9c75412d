"""Numbers in text: as digits, as words, and in agreement with their noun."""
