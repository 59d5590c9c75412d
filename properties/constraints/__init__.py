"""The pipeline of constraint problems: its steps and its claims."""
