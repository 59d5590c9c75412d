"""Constraint problems written by models."""
