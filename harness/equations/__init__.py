"""The equations that a line of a worked solution states, and whether they are true."""
