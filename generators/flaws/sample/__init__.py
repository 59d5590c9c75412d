"""Samples of flawed solutions."""
