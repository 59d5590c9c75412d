"""The plausibility of a flawed solution, and the values with which no person would continue."""
