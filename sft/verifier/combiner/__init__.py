"""Fitted weights that combine the evidence."""
