"""Certificates of flawed solutions and problem variants, and their check from one record."""
