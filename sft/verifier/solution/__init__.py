"""A solution as the verifier reads it: its steps, its unread lines, and a line as it should read."""
