"""Tests of skipped assignments: the value that replaces a deleted step is valid in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from generators.flaws.operators.skipped_assignment import skipped_assignment
from generators.flaws.solution.example_solutions import example_source
from tests.generators.flaws.solution_strategies import solutions

if TYPE_CHECKING:
    from generators.flaws.solution.source_solution import FlawSource


@settings(max_examples=60)
@given(solutions())
def test_readers_get_an_operand_they_do_not_have(source: FlawSource) -> None:
    """Only an operand of the step, of another value, that no reader reads already, so that none subtracts it from itself."""
    for mutant in skipped_assignment.mutants(source):
        assert mutant.rewired in source.trace.by_name[mutant.variable].reads
        assert source.values[mutant.rewired] != source.values[mutant.variable]
        assert all(mutant.rewired not in reader.reads for reader in source.readers(mutant.variable))
        assert mutant.variable != source.final


@pytest.mark.parametrize(
    ("step", "rewired"),
    [
        ("price * tickets", ["price"]),
        ("price * times_as_many", ["price"]),
        ("price / tickets", ["price"]),
        ("price - discount", ["price", "discount"]),
    ],
)
def test_nobody_carries_on_with_a_factor_or_divisor(step: str, rewired: list[str]) -> None:
    """Amounts of the same unit come in place of an amount, the likeliest first."""
    source = example_source(
        "# L1\nprice = 40  # $40\ntickets = 2  # 2 tickets\ntimes_as_many = 3  # 3 times\ndiscount = 5  # $5\n"
        f"cost = {step}\n# L2\npaid = 200  # $200\nchange = paid - cost"
    )
    assert [mutant.rewired for mutant in skipped_assignment.mutants(source)] == rewired


def test_a_step_that_shares_its_line_stays() -> None:
    """Its line cannot be left out without the other step."""
    source = example_source("# L1\na = 8\nb = 3\nfirst = a + b\nsecond = a - b\n# L2\nthird = first * second")
    assert not list(skipped_assignment.mutants(source))
