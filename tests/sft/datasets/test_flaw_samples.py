"""Tests of the samples that training draws from records of flaws."""

from __future__ import annotations

import pytest

from generators.flaws.solution.example_solutions import example_source
from harness.json_form import read_record
from harness.records.mutation import FlawRecord
from properties.stages.certified_flaws import make_from
from sft.datasets.command import read_weights
from sft.datasets.sources import FLAW_FIELDS, flawed_sample
from sft.samples.outcomes import satisfies


@pytest.fixture(scope="module")
def flaws() -> list[FlawRecord]:
    """Return the flaws of one solution, read as the datasets read them."""
    source = example_source(
        "# L1\ndozens = 3  # 3 dozen eggs\neggs_per_dozen = 12  # WK\neggs = dozens * eggs_per_dozen\n"
        "# L2\nbroken = 4  # 4 broken eggs\nwhole = eggs - broken\n# L3\nguests = 16  # 16 guests\neach = whole / guests",
        "Ann has 3 dozen eggs, of which 4 are broken. She shares them among 16 guests.",
    )
    made = make_from(source, seed=0).records
    assert made
    return [read_record(FlawRecord, record, fields=FLAW_FIELDS) for record in made]


def test_the_correction_of_a_flaw_reaches_its_sample(flaws: list[FlawRecord]) -> None:
    """It is the solution's own line, or its answer, and the object that a verifier must write holds it."""
    for flaw in flaws:
        written = flawed_sample(flaw, "mutation", "own").truth.record()
        correction = written["error_details"]["correction"]
        assert correction in flaw.solution.split("\n")
        assert satisfies(written)


def test_weights_of_an_alias_are_those_of_the_types_it_names() -> None:
    """An own name beside the alias keeps its own weight."""
    assert read_weights("incorrect_operation=2") == {"operator_swap": 2}
    assert read_weights("incorrect_operand=3,wrong_reference_group=2") == {
        "wrong_reference_group": 2,
        "failure_to_update_state": 3,
    }
