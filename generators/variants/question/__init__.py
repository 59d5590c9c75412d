"""The reading of a question word by word: its sentences, its numbers, and what each number counts."""
