"""Tests of flaws of real templates: they keep the same laws as flaws of random programs."""

from pathlib import Path

import pytest

from generators.flaws.flawed_solution import Flaw
from generators.flaws.solution.source_solution import FlawSource
from harness.equations.line_reader import read_line
from harness.solution.labels import ErrorClass
from tests.generators.flaws.flaw_laws import breaches, flaws_or_none
from tests.generators.real_problems import real_sources


@pytest.fixture(scope="module")
def real(shared_data: Path) -> list[tuple[FlawSource, list[Flaw]]]:
    """Return the flawed solutions of the first templates that are fit."""
    return [(source, flaws_or_none(source)) for source in real_sources(shared_data, 40, step=3)]


@pytest.mark.slow
def test_real_flaws_are_wrong_in_one_place(real: list[tuple[FlawSource, list[Flaw]]]) -> None:
    """Not one of more than a thousand breaks a law."""
    checked = [(flaw.text, breaches(source, flaw)) for source, flaws in real for flaw in flaws]
    assert [result for result in checked if result[1]] == []
    assert len(checked) > 1000


@pytest.mark.slow
def test_real_flaws_read_as_they_were_made(real: list[tuple[FlawSource, list[Flaw]]]) -> None:
    """The reader finds false equations on the labelled line of a slip, and nowhere else."""
    for flaw in (flaw for _, flaws in real for flaw in flaws):
        false = [f"L{number}" for number, line in enumerate(flaw.lines, start=1) if read_line(line).false]
        slip = flaw.label.error_type.error_class is ErrorClass.COMPUTATIONAL
        assert false == ([flaw.label.line] if slip else []), flaw.text


def test_what_needs_no_edit_shows_no_seams(real: list[tuple[FlawSource, list[Flaw]]]) -> None:
    """No double signs, no dollar sign before a dash, no equation of one number alone that the solution has not."""
    for source, flaw in ((source, flaw) for source, flaws in real for flaw in flaws if not flaw.edits):
        for seam in ("--", "- -", "+ -", "$-", "$$", "{", "}"):
            assert (seam in flaw.text) <= (seam in source.solution), flaw.text
