"""Tests of skipped assignments: the value that replaces a deleted step is valid in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import Flaw
from generators.flaws.mutants.mutant_evaluation import evaluate_mutant, rounded_mutant
from generators.flaws.operators.skipped_assignment import skipped_assignment
from generators.flaws.solution.example_solutions import example_source
from harness.program import ir
from harness.records.mutation import CertifiedChange
from harness.solution.phrases.explanation_phrases import NOTHING
from oracles.proofs.flaw_certificate import certify_mutant, refutation
from tests.generators.flaws.solution_strategies import solutions

if TYPE_CHECKING:
    from generators.flaws.solution.source_solution import FlawSource


@settings(max_examples=60)
@given(solutions())
def test_readers_get_an_operand_they_do_not_have(source: FlawSource) -> None:
    """The substitute is an operand of the step with another value that its reader does not read yet."""
    for mutant in skipped_assignment.mutants(source):
        if mutant.rewired is None:
            continue
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


@settings(max_examples=60)
@given(solutions())
def test_a_step_left_out_is_read_nowhere(source: FlawSource) -> None:
    """Where nothing is read in its place, its one reader has the same terms but one, and no step reads it."""
    for mutant in skipped_assignment.mutants(source):
        if mutant.reader is None:
            continue
        trace = evaluate_mutant(source, mutant)
        assert mutant.variable not in trace.by_name
        assert all(mutant.variable not in entry.reads for entry in trace.entries)
        before = [name for name in ir.names_in_order(source.expression(mutant.reader)) if name != mutant.variable]
        assert list(ir.names_in_order(trace.by_name[mutant.reader].expression)) == before


def test_a_step_left_out_takes_its_line_with_it() -> None:
    """The line of the step is gone, the reader has a term less, the label stands on the reader's new line, and the certificate holds."""
    source = example_source(
        "# L1\nroof = 90  # 90 tiles\nspare = 10  # 10 tiles\ntiles = roof + spare\n"
        "# L2\nrows = 4  # 4 rows\nper_row = 6  # 6 tiles\nred = rows * per_row\n# L3\nleft = tiles - red - spare"
    )
    flaw = next(
        flaw
        for flaw in flaws_of(source)
        if isinstance(flaw, Flaw) and flaw.change.after == NOTHING and flaw.operator == "skipped_assignment"
    )
    assert flaw.lines == ("tiles is <<90+10=100>>100", "left is <<100-10=90>>90")
    assert (flaw.label.line, flaw.label.error_details.correction) == ("L2", "left is <<100-24-10=66>>66")
    certificate = certify_mutant(source.trace, flaw.trace)
    assert certificate.change == CertifiedChange("L2", "red", "rows * per_row", "")
    assert refutation(certificate) is None


def test_a_step_that_shares_its_line_stays() -> None:
    """A step is not skipped where its line cannot be left out without another step."""
    source = example_source("# L1\na = 8\nb = 3\nfirst = a + b\nsecond = a - b\n# L2\nthird = first * second")
    assert not list(skipped_assignment.mutants(source))


def test_a_reader_without_its_term_is_not_rounded_besides() -> None:
    """A deletion that needs a second change is discarded, because no certificate can describe it."""
    source = example_source(
        "# L1\nfirst = 3  # $3\nsecond = 4  # $4\ncost = first + second\n# L2\nrent = 4  # $4\ntip = 1  # $1\nmore = rent + tip\n"
        "# L3\nfriends = 3  # 3 friends\neach = (cost + more) / friends"
    )
    mutants = [mutant for mutant in skipped_assignment.mutants(source) if mutant.reader is not None]
    assert mutants
    assert all(rounded_mutant(source, mutant) is None for mutant in mutants)
