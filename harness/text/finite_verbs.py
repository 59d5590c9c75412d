"""The verbs that stand with a subject in word problems."""

from __future__ import annotations

from harness.text.lexicon import word_lists

FINITE = word_lists(__file__).words("finite")
"""Verbs as they stand with a subject; words that may be participles alone count where nothing else is there."""
