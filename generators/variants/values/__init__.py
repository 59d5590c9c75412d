"""Other values for the quantities of a problem, and the consequences of a change for its text and solution."""
