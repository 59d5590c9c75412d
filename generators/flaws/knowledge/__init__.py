"""The knowledge of mutation operators: facts, formulas, units, digits, roles of quantities."""
