"""Sets of mistakes that were written and committed before the repairs of constraint programs were measured on them."""
