"""Run folders, record spools and CSV tables on disk."""
