"""The tails of distributions are those of scipy."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from oracles.consensus.probability.tail_probabilities import binomial_tail, hypergeometric_tail


@given(st.integers(1, 2_000), st.floats(0.01, 0.99), st.data())
def test_binomial_tails_are_those_of_scipy(draws: int, chance: float, data: st.DataObject) -> None:
    """Binomial tails from the mean to the last number of successes are those of scipy."""
    from scipy.stats import binom  # a second to import, which other workers need not spend

    least = data.draw(st.integers(math.ceil(draws * chance), draws))
    assert binomial_tail(least, draws, chance) == pytest.approx(
        binom.sf(least - 1, draws, chance), rel=1e-7, abs=1e-290
    )


@given(st.integers(1, 2_000), st.data())
def test_hypergeometric_tails_are_those_of_scipy(total: int, data: st.DataObject) -> None:
    """Hypergeometric tails from the mean to beyond the total are those of scipy."""
    from scipy.stats import hypergeom  # as above

    marked, drawn = data.draw(st.integers(0, total)), data.draw(st.integers(0, total))
    least = data.draw(st.integers(math.ceil(marked * drawn / total), min(marked, drawn) + 1))
    expected = hypergeom.sf(least - 1, total, marked, drawn)
    assert hypergeometric_tail(least, total, marked, drawn) == pytest.approx(expected, rel=1e-7, abs=1e-290)
