"""Judging: screening, alignment, equivalence, consensus, label audits, certificates and constraint programs."""
