"""What a constraint problem is built from: domains, drafts, small worlds, clues, words."""
