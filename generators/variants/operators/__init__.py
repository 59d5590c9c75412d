"""Which edits make a problem contradictory, underspecified, or another solvable one? An operator a module."""
