"""Datasets for verifiers and validators at several levels of detail, without any protected problem."""
