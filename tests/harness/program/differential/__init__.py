"""Differential tests: generated programs, evaluated here and by Python itself."""
