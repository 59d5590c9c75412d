"""Certificates of flawed solutions and problem variants, and their re-check."""
