"""Translators to SMT-LIB2 from other constraint languages that language models write."""
