"""Tests of dropped terms: the term is part of the calculation, and the rest of the calculation is unchanged."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import given, settings, strategies as st

from generators.flaws.knowledge.quantity_roles import leaves
from generators.flaws.operators.dropped_term import dropped_term
from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.expression_value import value_of
from tests.generators.flaws.solution_strategies import solutions

if TYPE_CHECKING:
    from generators.flaws.solution.source_solution import FlawSource


@settings(max_examples=60)
@given(solutions())
def test_what_is_left_is_part_of_the_expression(source: FlawSource) -> None:
    """A mutant reads fewer operands, and no other ones."""
    for mutant in dropped_term.mutants(source):
        assert mutant.expression is not None
        before = Counter(leaves(source.expression(mutant.variable)))
        after = Counter(leaves(mutant.expression))
        assert after < before


@given(st.lists(st.integers(1, 500), min_size=2, max_size=8))
def test_each_term_of_a_sum_can_be_forgotten(terms: list[int]) -> None:
    """The values of the mutants are the sum without each one of its terms."""
    inputs = "\n".join(f"amount_{place} = {term}" for place, term in enumerate(terms))
    total = " + ".join(f"amount_{place}" for place in range(len(terms)))
    source = example_source(f"# L1\n{inputs}\ntotal = {total}\n# L2\nlater = total - amount_0")
    found = [mutant for mutant in dropped_term.mutants(source) if mutant.variable == "total"]
    values = Counter(value_of(mutant.expression, source.values) for mutant in found if mutant.expression is not None)
    assert values == Counter(sum(terms) - term for term in terms)


def test_a_factor_that_converts_units_is_left_to_another_operator() -> None:
    """Forgetting that an hour has sixty minutes is a mistake of conversion."""
    source = example_source(
        "# L1\nhours = 2  # 2 hours\nminutes_per_hour = 60\npages = 3  # 3 pages a minute\n"
        "read = hours * minutes_per_hour * pages\n# L2\nleft = 500 - read"
    )
    assert not [mutant for mutant in dropped_term.mutants(source) if mutant.variable == "read"]


def test_a_share_added_to_its_amount_is_left_to_another_operator() -> None:
    """Taking 20 percent of it instead of 20 percent more is an error about percentages."""
    source = example_source("# L1\nprice = 50\nrate = 0.2\nraised = price + price * rate\n# L2\nboth = raised - rate")
    assert not [mutant for mutant in dropped_term.mutants(source) if mutant.variable == "raised"]
