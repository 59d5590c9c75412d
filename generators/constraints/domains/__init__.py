"""The domains of constraint problems, each registered by its module."""
