"""The parts of a constraint problem: domains, drafts, small worlds, clues, words."""
