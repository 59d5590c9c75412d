"""The last reading of a text in a notation that is not known: its words, brackets and tags, without those that say nothing of a term."""
