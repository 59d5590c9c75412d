"""Training of a model that writes after each line of a solution whether the line is wrong, and how."""
