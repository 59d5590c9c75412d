"""Tests of the samples that training draws from records of flaws."""

import json
import re

import pytest

from harness.json_form import read_record
from harness.records.mutation import FlawRecord
from harness.solution.labels import ErrorType, TypeNames, named_error_type
from properties.stages.mutation import make_from
from sft.datasets.levels import Level, LevelForm
from sft.datasets.rows import LEVEL_FORM, error_label_row, rendered_sample, row_of
from sft.datasets.sources import flawed_sample
from sft.samples.items import Sample
from sft.samples.solution_text import read_item
from tests.generators.flaws.example_solutions import example_source


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
    return [read_record(FlawRecord, record) for record in made]


def test_the_correction_of_a_flaw_reaches_its_sample(flaws: list[FlawRecord]) -> None:
    """It is the solution's own line, or its answer, and the object that a verifier must write holds it."""
    for flaw in flaws:
        written = flawed_sample(flaw, "mutation", "own").truth.record()
        correction = written["error_details"]["correction"]
        assert correction in flaw.solution.split("\n")
        assert {"error_type", "erroneous_line_number", "explanation"} <= written["error_details"].keys()


def test_an_error_has_a_place_in_its_solution_whatever_its_line_is_called(flaws: list[FlawRecord]) -> None:
    """A sample of other people may name a line that is not there, such as one of five thousand digits; it is read and written as others are."""
    sample, places = flawed_sample(flaws[0], "mutation", "own"), {}
    for line in (*("L1", "L2", "L3", "FA", ""), "Lx", "L" + "9" * 5_000):
        places[line[:3]] = Sample.of_record({**sample.record(), "line": line}).record()["position"]
    known = {"L1": "first", "L2": "middle", "L3": "last", "FA": "answer", "": "unknown"}
    assert places == {**known, "Lx": "last", "L99": "last"}


def test_a_label_of_the_original_design_names_its_line_and_says_what_to_do(flaws: list[FlawRecord]) -> None:
    """`line_number` is where trace and correct solution first differ, the type has its original name, and a swapped operator is named."""
    corrections = set()
    for flaw in flaws:
        row = error_label_row(flawed_sample(flaw, "mutation", "own"), TypeNames.ORIGINAL)
        assert row is not None
        label, trace = json.loads(row["error_label_json"]), row["flawed_solution_trace"].split("\n")
        right = [*read_item("", flaw.solution).lines, f"#### {read_item('', flaw.solution).answer}"]
        differing = [place for place, (one, other) in enumerate(zip(trace, right, strict=False), 1) if one != other]
        assert label["line_number"] == differing[0]
        assert named_error_type(label["error_type"]).error_class is flaw.label.error_type.error_class
        assert label["error_type"] == (flaw.label.error_type.alias or flaw.label.error_type)
        corrections.add(label["correction"])
    assert any(" should be used here, not " in text for text in corrections), corrections


def test_the_names_of_the_original_design_are_asked_for_and_answered(flaws: list[FlawRecord]) -> None:
    """A prompt lists the names that its answers use, and no name of ours that has another one."""
    answered = set()
    for flaw in flaws:
        sample = flawed_sample(flaw, "mutation", "own")
        rendered = rendered_sample(sample, LEVEL_FORM)
        row = rendered and row_of(LevelForm(Level.MAX, names=TypeNames.ORIGINAL), sample, rendered)
        if row:
            name = json.loads(row["completion"])["error_details"]["error_type"]
            assert name == row["error_type"]
            assert re.search(rf"\b{name}\b", row["prompt"])
            assert not any(f" {own}," in row["prompt"] for own in ErrorType if own.alias)
            answered.add(name)
    assert {"incorrect_operation", "incorrect_operand", "incomplete_calculation"} <= answered
