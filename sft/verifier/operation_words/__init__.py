"""Which operation, which numbers and which ending do the words of a problem call for? Learned from correct solutions."""
