"""Judgement: screening, alignment, equivalence, consensus."""
