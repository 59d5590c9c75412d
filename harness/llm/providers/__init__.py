"""Providers, one file each."""
