"""The validator: the class of a problem (solvable, contradictory or underspecified), judged from its text alone."""
