"""What mutation operators know: facts, formulas, units, digits, roles of quantities."""
