"""Training of an adapter on the whole answer of a level, by TRL."""
