"""Exact evaluation of programs."""
