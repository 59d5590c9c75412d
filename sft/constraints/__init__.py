"""A language model that writes SMT-LIB2 programs: its training, its correction by solver feedback, its evaluation."""
