"""Conversion factors between units, each with the nouns that follow it, such as 60 with `minute`.

A line may use such a number as world knowledge although the question has the same number for something else.
"""

from __future__ import annotations

from fractions import Fraction

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.numbers import whole_as_int

CONVERSIONS: dict[Exact, frozenset[str]] = {
    whole_as_int(Fraction(value)): frozenset(nouns.split())
    for value, nouns in english("conversion_factors").mapping("nouns").items()
}
"""By value, the nouns, without a plural s, that stand right after a number which converts units: 60 seconds, 24 hours."""
